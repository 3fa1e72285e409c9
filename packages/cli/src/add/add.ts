import { join, relative, resolve } from "node:path";
import {
  addDeclaration,
  type Compiler,
  createCompiler,
  type NewDeclaration,
  type AddFailure,
  writeFileTree,
} from "@tenon/compiler";
import { assertPackage, findProjectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";

export interface AddOptions {
  /** The source file, in the project. Default: a file named after the entry. */
  file?: string;
  /** The class in that file that receives the method. Required only if the file contains several. */
  class?: string;
}

/** The kinds of declarations that `tenon add` can write. */
export const KINDS = ["tool", "resource", "prompt"] as const satisfies readonly NewDeclaration["kind"][];

/** Names that all clients accept. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** Matches a TypeScript source that the compiler reads. */
const SERVED_FILE = /(?<!\.(?:d|test|spec))\.[cm]?tsx?$/;

/** Runs `tenon add <kind> <name>`. */
export function add(
  terminal: Terminal,
  kind: NewDeclaration["kind"],
  name: string | undefined,
  options: AddOptions,
): number {
  const root = findProjectRoot(".", terminal.cwd);
  assertPackage(root);
  if (name === undefined) {
    throw new Failure(`The name of the ${kind} is missing.`, {
      hint: `Write it after the kind: \`tenon add ${kind} NAME\`.`,
      exitCode: 2,
    });
  }
  if (!NAME.test(name)) {
    throw new Failure(`Some clients reject the name \`${name}\`.`, {
      hint: "Start with a letter, and use at most 64 letters, digits, hyphens, and underscores.",
      exitCode: 2,
    });
  }
  const compiler = createCompiler({ root, typeCheck: false });
  const existing = findDeclaration(compiler, kind, name);
  if (existing !== undefined)
    throw new Failure(`The ${kind} \`${name}\` already exists in ${existing}.`, {
      hint: "Choose another name.",
    });
  const file = resolve(root, options.file ?? join("src", `${createFileName(name)}.ts`));
  const relativePath = relative(root, file).replaceAll("\\", "/");
  if (!relativePath.startsWith("src/")) {
    throw new Failure(`${relativePath} is outside src/.`, {
      hint: "Choose a file in src/, which contains all sources of a server.",
      exitCode: 2,
    });
  }
  if (!SERVED_FILE.test(relativePath))
    throw new Failure(`${relativePath} would not be served.`, {
      hint: "Choose a TypeScript file with --file, which is neither a test nor a declaration file.",
      exitCode: 2,
    });
  const added = addDeclaration({ kind, name, file, ...(options.class && { className: options.class }) });
  if ("reason" in added) throw toFailure(added, relativePath, options.class);
  writeFileTree(new Map([[relativePath, added.text]]), root);
  compiler.refresh([file]);
  reportAddition(
    terminal,
    kind,
    name,
    findDeclaration(compiler, kind, name) ?? relativePath,
    added.className,
  );
  return 0;
}

/** Returns file and line of a declaration, or undefined if it does not exist. */
function findDeclaration(compiler: Compiler, kind: NewDeclaration["kind"], name: string): string | undefined {
  const { locate } = compiler.compile();
  const span =
    locate?.(kind, name) ?? (kind === "resource" ? locate?.("resource template", name) : undefined);
  return span && `${span.file}:${span.start.line}`;
}

function reportAddition(
  { out }: Terminal,
  kind: string,
  name: string,
  location: string,
  className: string,
): void {
  const { paint } = out;
  out.write(`${paint.green("✓")} ${kind} ${paint.bold(name)} in ${className}, ${location}\n\n`);
  out.write("Write the method, and describe in its comment when to use it. Then check what clients see:\n\n");
  out.write(`  ${paint.bold("npx tenon inspect")}\n`);
}

/** Converts the name of an entry to the name of a file. @example createFileName("getWeather") // "get-weather" */
export function createFileName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function toFailure(failure: AddFailure, file: string, className: string | undefined): Failure {
  switch (failure.reason) {
    case "method-exists":
      return new Failure(`${failure.className} in ${file} already has a member \`${failure.method}\`.`, {
        hint: "Choose another name, or another file with --file.",
      });
    case "several-classes":
      return new Failure(`${file} has several classes: ${failure.classes.join(", ")}.`, {
        hint: "Choose one with --class.",
      });
    case "no-such-class":
      return new Failure(`${file} exports no class \`${className}\`.`, {
        hint: `Choose one of its classes with --class: ${failure.classes.join(", ")}.`,
      });
  }
}
