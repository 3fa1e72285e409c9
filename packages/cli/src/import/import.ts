import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import {
  type DeclarationName,
  type ServerLists,
  generateServerSource,
  toDeclarationKey,
} from "@tenon/compiler";
import { assertPackage, findProjectRoot } from "../project/project-root.js";
import { openRemote } from "../remote/open-remote.js";
import { rejectRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { type ListedServer, listServer } from "../remote/remote-lists.js";
import { formatTarget, parseRemoteTarget } from "../remote/remote-target.js";
import { Failure } from "../terminal/failure.js";
import { toPrintable } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";
import { summarize, wrap } from "../terminal/text-format.js";
import { checkImportOptions } from "./import-options.js";
import type { OpenApiOptions } from "./openapi/import-openapi.js";
import { readHeaders } from "../remote/remote-headers.js";
import {
  type VerbatimParts,
  compareDefinitions,
  UncompilableError,
  writeRoundTrip,
} from "./round-trip/round-trip.js";

/** The options of `tenon import`. */
export interface ImportOptions extends RemoteFlags, Omit<OpenApiOptions, "headers"> {
  /** Whether the target is an OpenAPI document, regardless of its name. */
  openapi?: boolean;
}

/** Runs `tenon import <target...>`: writes a class for an OpenAPI document, or for a running server. */
export async function importTarget(
  terminal: Terminal,
  args: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const [target, ...more] = args;
  if (target === undefined || (options.openapi !== true && (more.length > 0 || !isDocument(target)))) {
    checkImportOptions(options, "server");
    return importServer(terminal, args, options);
  }
  if (more.length > 0)
    throw new Failure(
      `--openapi reads one document, but there are several arguments: \`${args.join(" ")}\`.`,
      {
        hint: "To import from a server that a command starts, omit --openapi.",
        exitCode: 2,
      },
    );
  checkImportOptions(options, "document");
  // No login is needed for a document, and only one at a URL is requested with headers.
  const { header: _, ...others } = options;
  rejectRemoteFlags(/^https?:/.test(target) ? others : options);
  if (options.era !== undefined)
    throw new Failure("--era requires a server, not an OpenAPI document.", { exitCode: 2 });
  const { importOpenApi } = await import("./openapi/import-openapi.js");
  return importOpenApi(terminal, target, { ...options, headers: readHeaders(options.header) });
}

/** Returns whether a target is a document by its name, which ends in `.json`, `.yaml`, or `.yml`. */
function isDocument(target: string): boolean {
  const path = /^https?:/.test(target) && URL.canParse(target) ? new URL(target).pathname : target;
  return /\.(json|ya?ml)$/i.test(path);
}

/** Writes a class with everything that a running server lists. */
async function importServer(
  terminal: Terminal,
  args: readonly string[],
  { out = "src/imported.ts", class: className = "Imported", ...options }: ImportOptions,
): Promise<number> {
  const root = findProjectRoot(".", terminal.cwd);
  const file = resolve(root, out);
  assertPackage(root);
  if (existsSync(file) && options.force !== true) {
    throw new Failure(`${relative(root, file)} already exists.`, {
      hint: "Choose another path with --out, or replace it with --force.",
    });
  }
  const target = parseRemoteTarget(args);
  const server = await openRemote(terminal, target, options);
  const { listed, canComplete } = await server
    .use(async (client) => ({
      listed: await listServer(client),
      canComplete: client.getServerCapabilities()?.completions !== undefined,
    }))
    .finally(() => server.close());
  const written = writeSource(root, file, listed, className);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, written.source);
  report(terminal, relative(root, file), formatTarget(target), { ...listed, canComplete }, written);
  return 0;
}

/** The class of a server. */
interface WrittenClass {
  readonly source: string;
  /** The contents of the class. */
  readonly lists: ServerLists;
  readonly verbatimParts: VerbatimParts;
  /** The reasons why the class lacks declarations, by `toDeclarationKey`. */
  readonly omitted: ReadonlyMap<string, string>;
}

/**
 * Writes a class for a server's lists, without the declarations that Tenon could not serve.
 *
 * @throws Failure if the class cannot be compiled for another reason, or a derived definition differs from its original
 */
export function writeSource(
  root: string,
  file: string,
  lists: ServerLists,
  className: string,
  omitted: ReadonlyMap<string, string> = new Map(),
): WrittenClass {
  const name = basename(file);
  try {
    const { files, verbatimParts } = writeRoundTrip(
      root,
      (verbatim) => new Map([[name, generateServerSource(lists, className, verbatim)]]),
      (derived) => compareDefinitions(lists, derived),
    );
    return { source: files.get(name) ?? "", lists, verbatimParts, omitted };
  } catch (error) {
    if (!(error instanceof UncompilableError)) throw error;
    const reasons = new Map(
      error.errors.flatMap(({ declaration, message }) =>
        declaration ? [[toDeclarationKey(declaration.kind, declaration.name), message]] : [],
      ),
    );
    const others = withoutDeclarations(lists, reasons);
    const count = listKeys(others).length;
    if (count === 0 || count === listKeys(lists).length) throw error;
    return writeSource(root, file, others, className, new Map([...omitted, ...reasons]));
  }
}

/** The kinds of declarations, and the lists that contain them. */
const DECLARED = [
  ["tool", "tools"],
  ["prompt", "prompts"],
  ["resource", "resources"],
  ["resource template", "resourceTemplates"],
] as const;

function withoutDeclarations(lists: ServerLists, omitted: ReadonlyMap<string, string>): ServerLists {
  const keep = <Listed extends { name: string }>(
    kind: DeclarationName["kind"],
    all: readonly Listed[],
  ): Listed[] => all.filter(({ name }) => !omitted.has(toDeclarationKey(kind, name)));
  return {
    ...lists,
    tools: keep("tool", lists.tools),
    prompts: keep("prompt", lists.prompts),
    resources: keep("resource", lists.resources),
    resourceTemplates: keep("resource template", lists.resourceTemplates),
  };
}

function listKeys(lists: ServerLists): string[] {
  return DECLARED.flatMap(([kind, list]) => lists[list].map(({ name }) => toDeclarationKey(kind, name)));
}

function report(
  terminal: Terminal,
  file: string,
  from: string,
  listed: ListedServer & { readonly canComplete: boolean },
  { lists, verbatimParts, omitted }: WrittenClass,
): void {
  const { out } = terminal;
  const { paint } = out;
  const all = listKeys(lists).length;
  const keys = listKeys(listed);
  const scope = omitted.size === 0 ? "everything" : `${all} of the ${keys.length} definitions`;
  out.write(
    `${paint.green("✓")} ${paint.bold(file)} contains ${scope} that ${from} lists: ${summarize(lists)}\n`,
  );
  for (const [key, reason] of omitted) {
    const count = keys.filter((each) => each === key).length;
    const subject = count > 1 ? `${key} (all ${count} of this name)` : key;
    const text = toPrintable(`${subject} is omitted: ${reason}`);
    const [first = "", ...others] = wrap(text, Math.max(40, out.columns - 4));
    out.write(paint.yellow(`  ${[first, ...others].join("\n    ")}\n`));
  }
  out.write(
    `  Types and comments alone express ${all - verbatimParts.size} of ${all}. All match the lists of the server.\n`,
  );
  out.write(
    paint.dim(
      "  In arguments, objects now reject undeclared members unless their schema explicitly allows them, and\n" +
        "  members with a default are optional. In results, objects may have undeclared members.\n",
    ),
  );
  for (const [key, parts] of verbatimParts) {
    out.write(
      paint.dim(
        `  ${key}: the decorator contains its ${parts.includes("schemas") ? "schemas" : "description"}\n`,
      ),
    );
  }
  if (listed.instructions !== undefined)
    out.write(
      "  The server's instructions are not part of a class. Pass them to `defineServer` in src/server.ts.\n",
    );
  const hasVariables =
    lists.resourceTemplates.length > 0 || lists.prompts.some((prompt) => (prompt.arguments ?? []).length > 0);
  if (listed.canComplete && hasVariables)
    out.write(
      "  Values that the server may suggest are not part of its lists. Write `complete` in the options of\n" +
        "  prompts and resource templates.\n",
    );
  out.write(`\nNow write what each method does. Until then, it throws.\n`);
}
