import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { apiSource, differences, isSameSchema, keyOf, wholeTool } from "@tenon/compiler";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { assertPackage, projectRoot } from "../../project/project-root.js";
import { Failure } from "../../terminal/failure.js";
import type { Terminal } from "../../terminal/terminal.js";
import { type Carried, derivedFrom, refuse, verbatimOf } from "../round-trip/derived-definitions.js";
import { clientSource } from "./source/client-source.js";
import { loadDocument } from "./document/load-document.js";
import { operationsOf } from "./document/operations.js";
import { type ApiPlan, planApi } from "./plan-api.js";
import { reportImport, tooManyText } from "./report.js";
import { selectOperations, type Selection } from "./document/select-operations.js";

export interface OpenApiOptions extends Selection {
  /** The file of the class, or the folder of several, in the project. */
  out?: string;
  class?: string;
  headers: Readonly<Record<string, string>>;
  force?: boolean;
  /** A class for each tag. */
  byTag?: boolean;
  /** All operations, however many there are. */
  all?: boolean;
}

/** More tools than this are asked about: models choose badly among many, and pay for each in every conversation. */
const MANY = 100;

/** `tenon import openapi.json`: a class with a method for each operation, and the client that they share. */
export async function importOpenApi(
  terminal: Terminal,
  target: string,
  options: OpenApiOptions,
): Promise<number> {
  const root = projectRoot(".", terminal.cwd);
  assertPackage(root);
  assertNodeTypes(root);
  const document = await loadDocument(target, { cwd: terminal.cwd, headers: options.headers });
  const operations = operationsOf(document);
  if (operations.length === 0) throw new Failure(`${target} has no operations.`);
  const { chosen, deprecated } = selectOperations(operations, options);
  if (chosen.length === 0)
    throw new Failure("All operations that are asked for are deprecated.", {
      hint: "Take them by --deprecated.",
    });
  if (chosen.length > MANY && options.all !== true)
    throw new Failure(`${target} has ${chosen.length} operations.`, { hint: tooManyText(chosen) });
  const isFile = options.out?.endsWith(".ts") === true;
  const isByTag = options.byTag === true && !isFile;
  const plan = planApi(document, chosen, {
    className: options.class,
    file: isFile ? basename(options.out ?? "", ".ts") : undefined,
    isByTag,
  });
  const folder = resolve(root, isFile ? dirname(options.out ?? "") : (options.out ?? "src"));
  if (options.force !== true) assertNew(root, folder, fileNames(plan));
  const { files, carried, differing } = writeApi(root, plan);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  reportImport(terminal, {
    plan,
    files: [...files.keys()].map((name) => relative(root, join(folder, name))),
    carried,
    differing,
    deprecated,
  });
  return 0;
}

function fileNames({ api: { classes, client, typesFile } }: ApiPlan): string[] {
  const types = classes.length > 1 ? [typesFile] : [];
  return [...types, ...classes.map(({ file }) => file), client.file].map((name) => `${name}.ts`);
}

function assertNew(root: string, folder: string, names: readonly string[]): void {
  const existing = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (existing.length === 0) return;
  const shown = existing.map((path) => relative(root, path)).join(" and ");
  throw new Failure(`${shown} ${existing.length > 1 ? "exist" : "exists"} already.`, {
    hint: "Name another place by --out, or replace it by --force.",
  });
}

/** What is written reads the environment. */
function assertNodeTypes(root: string): void {
  try {
    createRequire(join(root, "package.json")).resolve("@types/node/package.json");
  } catch {
    throw new Failure("What is written needs the types of Node.", {
      hint: "npm install --save-dev @types/node",
    });
  }
}

export interface WrittenApi {
  /** Texts by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly carried: Carried;
  /** Tools whose results are typed otherwise than the document says. */
  readonly differing: readonly string[];
}

/**
 * Writes the sources, compiles them, and carries by options what of the arguments does not come back as the document says it.
 *
 * @throws Failure when even then something differs
 */
export function writeApi(root: string, plan: ApiPlan): WrittenApi {
  const client = clientSource(plan.client);
  const written = (carried: Carried): Map<string, string> =>
    new Map([...apiSource(plan.api, verbatimOf(carried)), [`${plan.api.client.file}.ts`, client]]);
  const first = written(new Map());
  const derived = derivedFrom(root, first, ["node"]);
  const { inputs: carried, outputs } = compared(plan, derived.manifest);
  if (carried.size === 0 && derived.errors.length === 0) return { files: first, carried, differing: outputs };
  const files = written(carried);
  const { manifest, errors } = derivedFrom(root, files, ["node"]);
  const left = compared(plan, manifest);
  refuse(left.inputs, errors);
  return { files, carried, differing: left.outputs };
}

function compared(
  { api }: ApiPlan,
  derived: Manifest,
): { readonly inputs: Carried; readonly outputs: readonly string[] } {
  const inputs = new Map<string, readonly string[]>();
  const outputs: string[] = [];
  const made = new Map(derived.tools?.map(({ definition }) => [definition.name, definition]));
  for (const { tool } of api.classes.flatMap(({ methods }) => methods)) {
    const { outputSchema: output, ...input } = wholeTool(tool, api.definitions);
    const definition = made.get(tool.name);
    const { outputSchema: derivedOutput, ...derivedInput } = definition ?? {
      ...input,
      inputSchema: { type: "object" },
    };
    const parts =
      definition === undefined
        ? ["schemas", "description"]
        : differences(input, derivedInput as typeof input);
    if (parts.length > 0) inputs.set(keyOf("tool", tool.name), parts);
    const isSame =
      output === undefined || derivedOutput === undefined
        ? output === derivedOutput
        : isSameSchema(withoutSecrets(output), withoutSecrets(derivedOutput));
    if (!isSame) outputs.push(tool.name);
  }
  return { inputs, outputs };
}

/** That a value is a secret is said of arguments alone. */
function withoutSecrets(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "writeOnly" && value === true ? undefined : value,
  );
  return JSON.parse(text) as JsonSchema;
}
