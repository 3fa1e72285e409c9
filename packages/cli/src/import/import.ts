import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { type ServerLists, serverSource } from "@tenon/compiler";
import { assertPackage, projectRoot } from "../project/project-root.js";
import { openRemote } from "../remote/open-remote.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { type SeenServer, seenOf } from "../remote/remote-lists.js";
import { nameOf, remoteTarget } from "../remote/remote-target.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { summarize } from "../terminal/text-format.js";
import {
  type Carried,
  derivedFrom,
  differing,
  refuse,
  verbatimOf,
} from "./round-trip/derived-definitions.js";
import type { OpenApiOptions } from "./openapi/import-openapi.js";
import { readHeaders } from "../remote/remote-headers.js";

export interface ImportOptions extends RemoteFlags, Omit<OpenApiOptions, "headers"> {
  /** The target is an OpenAPI document, whatever it is called. */
  openapi?: boolean;
}

/** `tenon import <target...>`: a class for an OpenAPI document, or for a living server. */
export async function importTarget(
  terminal: Terminal,
  words: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const [target, ...more] = words;
  if (target === undefined || (options.openapi !== true && (more.length > 0 || !isDocument(target))))
    return importServer(terminal, words, options);
  const { importOpenApi } = await import("./openapi/import-openapi.js");
  return importOpenApi(terminal, target, { ...options, headers: readHeaders(options.header) });
}

/** By its name: documents end in `.json`, `.yaml` or `.yml`. */
function isDocument(target: string): boolean {
  const path = /^https?:/.test(target) && URL.canParse(target) ? new URL(target).pathname : target;
  return /\.(json|ya?ml)$/i.test(path);
}

/** A class that offers what a living server offers. */
async function importServer(
  terminal: Terminal,
  words: readonly string[],
  { out = "src/imported.ts", class: className = "Imported", ...options }: ImportOptions,
): Promise<number> {
  const root = projectRoot(".", terminal.cwd);
  const file = resolve(root, out);
  assertPackage(root);
  if (existsSync(file) && options.force !== true) {
    throw new Failure(`${relative(root, file)} exists already.`, {
      hint: "Name another by --out, or replace it by --force.",
    });
  }
  const target = remoteTarget(words);
  const server = await openRemote(terminal, target, options);
  const seen = await server.use((client) => seenOf(client)).finally(() => server.close());
  const { source, carried } = writeSource(root, file, seen, className);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  report(terminal, relative(root, file), nameOf(target), seen, carried);
  return 0;
}

/**
 * Writes the class, compiles it, and carries by options what does not come back as it was.
 *
 * @throws Failure when even then something differs
 */
export function writeSource(
  root: string,
  file: string,
  lists: ServerLists,
  className: string,
): { source: string; carried: Carried } {
  const none: Carried = new Map();
  const name = basename(file);
  const first = serverSource(lists, className, verbatimOf(none));
  const derived = derivedFrom(root, new Map([[name, first]]));
  const carried = differing(lists, derived.manifest);
  if (carried.size === 0 && derived.errors.length === 0) return { source: first, carried };
  const source = serverSource(lists, className, verbatimOf(carried));
  const { manifest, errors } = derivedFrom(root, new Map([[name, source]]));
  refuse(differing(lists, manifest), errors);
  return { source, carried };
}

function report(terminal: Terminal, file: string, from: string, lists: SeenServer, carried: Carried): void {
  const { out } = terminal;
  const { paint } = out;
  const all =
    lists.tools.length + lists.prompts.length + lists.resources.length + lists.resourceTemplates.length;
  out.write(`${paint.green("✓")} ${paint.bold(file)} offers what ${from} does: ${summarize(lists)}\n`);
  out.write(`  ${all - carried.size} of ${all} by types and comments alone, and all as they were listed.\n`);
  out.write(paint.dim("  Objects that nobody said to be open take no members but their own now.\n"));
  for (const [key, what] of carried) {
    out.write(
      paint.dim(
        `  ${key}: ${what.includes("schemas") ? "its schemas are" : "its description is"} carried by the decorator\n`,
      ),
    );
  }
  if (lists.instructions !== undefined)
    out.write("  Its instructions are no part of a class: give them to `defineServer` in src/server.ts.\n");
  out.write(`\nNow write what each method does. Until then, it throws.\n`);
}
