import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { generateApiSource, isSameSchema, toStandaloneTool } from "@tenon/compiler";
import type { JsonSchema, Tool } from "@tenon/runtime/manifest";
import { assertPackage, findProjectRoot } from "../../project/project-root.js";
import { Failure } from "../../terminal/failure.js";
import type { Terminal } from "../../terminal/terminal.js";
import { type VerbatimParts, compareDefinitions, writeRoundTrip } from "../round-trip/round-trip.js";
import { writeClientSource } from "./source/client-source.js";
import { formatDocument, loadDocument } from "./document/load-document.js";
import { readOperations } from "./document/operations.js";
import { type ApiPlan, planApi } from "./plan-api.js";
import { reportImport, createTooManyHint } from "./report.js";
import { selectOperations, type Selection } from "./document/select-operations.js";

/** The options of an import from an OpenAPI document. */
export interface OpenApiOptions extends Selection {
  /** The file for the class, or the folder for several classes, in the project. */
  out?: string;
  class?: string;
  headers: Readonly<Record<string, string>>;
  force?: boolean;
  /** Whether to write a class for each tag. */
  byTag?: boolean;
  /** Whether to write all operations, even if there are more than `MAX_TOOLS`. */
  all?: boolean;
}

/** Maximum number of tools without `--all`. Models choose less reliably among more, and pay for each in every conversation. */
const MAX_TOOLS = 100;

/** Runs `tenon import openapi.json`: writes a class with a method for each operation, and the client that they share. Returns the exit code. */
export async function importOpenApi(
  terminal: Terminal,
  target: string,
  options: OpenApiOptions,
): Promise<number> {
  const root = findProjectRoot(".", terminal.cwd);
  assertPackage(root);
  assertNodeTypes(root);
  const document = await loadDocument(target, { cwd: terminal.cwd, headers: options.headers });
  const operations = readOperations(document);
  if (operations.length === 0) throw new Failure(`${formatDocument(target)} has no operations.`);
  const { selected: all, deprecatedCount } = selectOperations(operations, options);
  const selected = all.filter(({ unsupportedReason }) => unsupportedReason === undefined);
  const unsupportedOperations = all.flatMap(({ method, path, unsupportedReason }) =>
    unsupportedReason === undefined ? [] : `${method} ${path} (${unsupportedReason})`,
  );
  if (all.length === 0)
    throw new Failure("All selected operations are deprecated.", {
      hint: "Include them with --deprecated.",
    });
  if (selected.length === 0)
    throw new Failure(`No selected operation can become a tool: ${unsupportedOperations.join(", ")}.`, {
      hint: "Select others with --only or --tag.",
    });
  if (selected.length > MAX_TOOLS && options.all !== true)
    throw new Failure(`${formatDocument(target)} has ${selected.length} operations.`, {
      hint: createTooManyHint(selected),
    });
  const isFile = options.out?.endsWith(".ts") === true;
  const isByTag = options.byTag === true && !isFile;
  const plan = planApi(document, selected, {
    className: options.class,
    file: isFile ? basename(options.out ?? "", ".ts") : undefined,
    isByTag,
  });
  const folder = resolve(root, isFile ? dirname(options.out ?? "") : (options.out ?? "src"));
  if (options.force !== true) assertNew(root, folder, listFileNames(plan));
  const { files, verbatimParts, differing } = writeApi(root, plan);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  reportImport(terminal, {
    plan,
    files: [...files.keys()].map((name) => relative(root, join(folder, name))),
    verbatimParts,
    differing,
    deprecatedCount,
    unsupportedOperations,
    brokenReferences: document.brokenReferences,
  });
  return 0;
}

function listFileNames({ api: { classes, client, typesFile } }: ApiPlan): string[] {
  const types = classes.length > 1 ? [typesFile] : [];
  return [...types, ...classes.map(({ file }) => file), client.file].map((name) => `${name}.ts`);
}

function assertNew(root: string, folder: string, files: readonly string[]): void {
  const existing = files.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (existing.length === 0) return;
  const names = existing.map((path) => relative(root, path)).join(" and ");
  throw new Failure(`${names} already ${existing.length > 1 ? "exist" : "exists"}.`, {
    hint: "Choose another path with --out, or replace it with --force.",
  });
}

/** Throws if `@types/node` is not installed: the generated client reads `process.env`. */
function assertNodeTypes(root: string): void {
  try {
    createRequire(join(root, "package.json")).resolve("@types/node/package.json");
  } catch {
    throw new Failure("The generated client requires `@types/node`, which is not installed.", {
      hint: "Run `npm install --save-dev @types/node`.",
    });
  }
}

/** The generated sources of an API. */
export interface WrittenApi {
  /** Sources by file name. */
  readonly files: ReadonlyMap<string, string>;
  readonly verbatimParts: VerbatimParts;
  /** Tools whose result types differ from those in the document. */
  readonly differing: readonly string[];
}

/**
 * Generates the sources. The derived schemas of arguments are equal to those in the document. The schemas of results may
 * differ, since the server validates what the API returns.
 *
 * @throws Failure if a derived definition differs from its original
 */
export function writeApi(root: string, plan: ApiPlan): WrittenApi {
  const methods = plan.api.classes.flatMap((each) => each.methods);
  const client = writeClientSource(
    plan.client,
    methods.map(({ statements }) => statements),
  );
  const tools = methods.map(({ tool }) => toStandaloneTool(tool, plan.api.definitions));
  const inputs = { tools: tools.map(withoutOutput), prompts: [], resources: [], resourceTemplates: [] };
  const { files, verbatimParts, manifest } = writeRoundTrip(
    root,
    (verbatim) => new Map([...generateApiSource(plan.api, verbatim), [`${plan.api.client.file}.ts`, client]]),
    ({ tools: derived = [], ...others }) =>
      compareDefinitions(inputs, {
        ...others,
        tools: derived.map((each) => ({ ...each, definition: withoutOutput(each.definition) })),
      }),
    ["node"],
  );
  const outputs = new Map(
    manifest.tools?.map(({ definition }) => [definition.name, definition.outputSchema]),
  );
  const differing = tools.filter(({ name, outputSchema }) => !isSameOutput(outputSchema, outputs.get(name)));
  return { files, verbatimParts, differing: differing.map(({ name }) => name) };
}

function withoutOutput(tool: Tool): Tool {
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

/** Returns whether two schemas are equal except for `writeOnly`, which marks secrets and occurs only in arguments. */
function isSameOutput(first: JsonSchema | undefined, second: JsonSchema | undefined): boolean {
  if (first === undefined || second === undefined) return first === second;
  const [a, b] = [first, second].map((schema) => {
    const text = JSON.stringify(schema, (key, value: unknown) =>
      key === "writeOnly" && value === true ? undefined : value,
    );
    return JSON.parse(text) as JsonSchema;
  });
  return a !== undefined && b !== undefined && isSameSchema(a, b);
}
