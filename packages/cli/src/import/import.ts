import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import {
  compile,
  type Diagnostic,
  differences,
  keyOf,
  type ServerLists,
  serverSource,
} from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { isProject, projectRoot } from "../project/project-root.js";
import { openRemote } from "../remote/open-remote.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { remoteLists } from "../remote/remote-lists.js";
import { nameOf, remoteTarget } from "../remote/remote-target.js";
import { Failure } from "../terminal/failure.js";
import { errorsText } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { count } from "../terminal/text-format.js";

export interface ImportOptions extends RemoteFlags {
  /** The file to write, in the project. */
  out: string;
  class: string;
  force?: boolean;
}

/** `tenon import <target...>`: a class that offers what a living server offers. */
export async function importServer(
  terminal: Terminal,
  words: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const root = projectRoot(".", terminal.cwd);
  const file = resolve(root, options.out);
  if (!isProject(root)) {
    throw new Failure("There is no project here to import into.", { hint: "Make one with `tenon create`." });
  }
  if (existsSync(file) && options.force !== true) {
    throw new Failure(`${relative(root, file)} exists already.`, {
      hint: "Name another by --out, or replace it by --force.",
    });
  }
  const target = remoteTarget(words);
  const server = await openRemote(terminal, target, options);
  const lists = await server.use((client) => remoteLists(client)).finally(() => server.close());
  const { source, carried } = writeSource(root, file, lists, options.class);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  report(terminal, relative(root, file), nameOf(target), lists, carried);
  return 0;
}

/** Definitions that types do not say, and options of decorators carry. */
type Carried = ReadonlyMap<string, readonly string[]>;

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
  const first = serverSource(lists, className, verbatimOf(none));
  const derived = derivedFrom(root, file, first);
  const carried = differing(lists, derived.manifest);
  if (carried.size === 0 && derived.errors.length === 0) return { source: first, carried };
  const source = serverSource(lists, className, verbatimOf(carried));
  const { manifest, errors } = derivedFrom(root, file, source);
  if (errors.length > 0) throw new Failure(`The class cannot be compiled.\n\n${errorsText(errors)}`);
  const left = differing(lists, manifest);
  if (left.size === 0) return { source, carried };
  const names = [...left].map(([key, parts]) => `  ${key}: ${parts.join(", ")}`).join("\n");
  throw new Failure(`These definitions do not come back as they were:\n${names}`);
}

function verbatimOf(carried: Carried): { schemas: ReadonlySet<string>; descriptions: ReadonlySet<string> } {
  const having = (part: string): ReadonlySet<string> =>
    new Set([...carried].flatMap(([key, parts]) => (parts.includes(part) ? key : [])));
  return { schemas: having("schemas"), descriptions: having("description") };
}

interface Derived {
  readonly manifest: Manifest;
  readonly errors: readonly Diagnostic[];
}

/** What the compiler makes of a source, in a folder of its own within the project. */
function derivedFrom(root: string, file: string, source: string): Derived {
  const folder = join(root, ".tenon", `import-${process.pid}`);
  try {
    mkdirSync(join(folder, "src"), { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "imported", version: "0.0.0", type: "module" }),
    );
    writeFileSync(join(folder, "tsconfig.json"), TSCONFIG);
    writeFileSync(join(folder, "src", relative(join(root, "src"), file).replaceAll(/[^\w.-]/g, "-")), source);
    const { manifest, diagnostics } = compile({ root: folder });
    if (manifest !== undefined)
      return { manifest, errors: diagnostics.filter(({ severity }) => severity === "error") };
    throw new Failure(`The class cannot be compiled.\n\n${errorsText(diagnostics)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src"],
});

function differing(
  { tools, prompts, resources, resourceTemplates }: ServerLists,
  derived: Manifest,
): Carried {
  const found = new Map<string, readonly string[]>();
  const compare = (
    kind: Parameters<typeof keyOf>[0],
    originals: readonly { name: string }[],
    made: readonly { definition: { name: string } }[] = [],
  ): void => {
    for (const original of originals) {
      const definition = made.find((each) => each.definition.name === original.name)?.definition;
      const parts =
        definition === undefined
          ? ["schemas", "description"]
          : differences(original as never, definition as never);
      if (parts.length > 0) found.set(keyOf(kind, original.name), parts);
    }
  };
  compare("tool", tools, derived.tools);
  compare("prompt", prompts, derived.prompts);
  compare("resource", resources, derived.resources);
  compare("resource template", resourceTemplates, derived.resourceTemplates);
  return found;
}

function report(terminal: Terminal, file: string, from: string, lists: ServerLists, carried: Carried): void {
  const { out } = terminal;
  const { paint } = out;
  const all =
    lists.tools.length + lists.prompts.length + lists.resources.length + lists.resourceTemplates.length;
  const parts = [
    count(lists.tools.length, "tool"),
    count(lists.prompts.length, "prompt"),
    count(lists.resources.length + lists.resourceTemplates.length, "resource"),
  ];
  out.write(`${paint.green("✓")} ${paint.bold(file)} offers what ${from} does: ${parts.join(", ")}\n`);
  out.write(`  ${all - carried.size} of ${all} by types and comments alone, and all as they were listed.\n`);
  out.write(paint.dim("  Objects that nobody said to be open take no members but their own now.\n"));
  for (const [key, what] of carried) {
    out.write(
      paint.dim(
        `  ${key}: ${what.includes("schemas") ? "its schemas are" : "its description is"} carried by the decorator\n`,
      ),
    );
  }
  out.write(`\nNow write what each method does. Until then, it throws.\n`);
}
