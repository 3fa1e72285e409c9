import { join, relative, resolve } from "node:path";
import {
  addDeclaration,
  type Compiler,
  createCompiler,
  type NewDeclaration,
  type Obstacle,
  writeFileTree,
} from "@tenon/compiler";
import { assertPackage, projectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";

export interface AddOptions {
  /** The source file, in the project. Default: one named for what is added. */
  to?: string;
  class?: string;
}

/** The kinds of things that can be added. */
export const KINDS = ["tool", "resource", "prompt"] as const satisfies readonly NewDeclaration["kind"][];

/** Names that all clients take. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** `tenon add <kind> <name>`: a tool, a resource or a prompt more. */
export function add(
  terminal: Terminal,
  kind: NewDeclaration["kind"],
  name: string,
  options: AddOptions,
): number {
  const root = projectRoot(".", terminal.cwd);
  assertPackage(root);
  if (!NAME.test(name)) {
    throw new Failure(`\`${name}\` is no name that all clients take.`, {
      hint: "Letters, digits, hyphens and underscores, at most 64, and a letter first.",
      exitCode: 2,
    });
  }
  const compiler = createCompiler({ root, typeCheck: false });
  const taken = placeOf(compiler, kind, name);
  if (taken !== undefined) throw new Failure(`There is a ${kind} \`${name}\` already, in ${taken}.`);
  const file = resolve(root, options.to ?? join("src", `${fileName(name)}.ts`));
  const inProject = relative(root, file).replaceAll("\\", "/");
  if (!inProject.startsWith("src/")) {
    throw new Failure(`${inProject} is not in src/, where servers are read from.`, { exitCode: 2 });
  }
  const added = addDeclaration({ kind, name, file, ...(options.class && { className: options.class }) });
  if ("obstacle" in added) throw obstacle(added, inProject);
  writeFileTree(new Map([[inProject, added.text]]), root);
  compiler.refresh([file]);
  report(terminal, kind, name, placeOf(compiler, kind, name) ?? inProject, added.className);
  return 0;
}

/** Where it is declared, if it is. */
function placeOf(compiler: Compiler, kind: NewDeclaration["kind"], name: string): string | undefined {
  const { locate } = compiler.compile();
  const span =
    locate?.(kind, name) ?? (kind === "resource" ? locate?.("resource template", name) : undefined);
  return span && `${span.file}:${span.start.line}`;
}

function report({ out }: Terminal, kind: string, name: string, place: string, className: string): void {
  const { paint } = out;
  out.write(`${paint.green("✓")} ${kind} ${paint.bold(name)} in ${className}, ${place}\n\n`);
  out.write("Write what it does, and say in its comment when to use it. Then see what clients see:\n\n");
  out.write(`  ${paint.bold("npx tenon inspect")}\n`);
}

/** @example fileName("getWeather") // "get-weather" */
function fileName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function obstacle(found: Obstacle, file: string): Failure {
  switch (found.obstacle) {
    case "method-exists":
      return new Failure(`${found.className} in ${file} has a member \`${found.method}\` already.`, {
        hint: "Choose another name, or another file by --to.",
      });
    case "several-classes":
      return new Failure(`${file} has several classes: ${found.classes.join(", ")}.`, {
        hint: "Name one by --class.",
      });
    case "no-such-class":
      return new Failure(`${file} exports no class of that name; it has ${found.classes.join(", ")}.`);
  }
}
