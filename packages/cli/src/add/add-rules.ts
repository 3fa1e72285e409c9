import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { detect } from "package-manager-detector/detect";
import { replaceCommands } from "../create/package-manager.js";
import { getRulesFile } from "../create/templates.js";
import { assertPackage, findProjectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import type { AddOptions } from "./add.js";

/** The file that most coding agents read. */
const DEFAULT_FILE = "AGENTS.md";

/** Matches the section that Tenon writes and replaces on later runs. */
const SECTION = /<!-- tenon rules -->[^]*<!-- end of tenon rules -->\r?\n?/;

/**
 * Writes the rules for coding agents, which new projects include, to a file or to a section of an existing file.
 *
 * @returns the exit code
 * @throws Failure when a name is given, or the file is outside the project
 */
export async function addRules(
  terminal: Terminal,
  name: string | undefined,
  { file: requested, class: className }: AddOptions,
): Promise<number> {
  if (name !== undefined) {
    throw new Failure(`Unexpected argument \`${name}\`.`, {
      hint: "Rules have no name. Choose another file with --file.",
      exitCode: 2,
    });
  }
  if (className !== undefined)
    throw new Failure("--class has no effect: rules are not part of a class.", { exitCode: 2 });
  const root = findProjectRoot(".", terminal.cwd);
  assertPackage(root);
  const file = resolve(root, requested ?? DEFAULT_FILE);
  const relativePath = relative(root, file).replaceAll("\\", "/");
  if (relativePath.startsWith(".."))
    throw new Failure(`${relativePath} is outside the project.`, {
      hint: "Choose a file in the project with --file.",
      exitCode: 2,
    });
  const manager = (await detect({ cwd: root }))?.name ?? "npm";
  const rules = replaceCommands(readFileSync(getRulesFile(), "utf8"), manager);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before === undefined ? rules : withSection(before, rules));
  const { out } = terminal;
  const verb = before === undefined ? "Wrote" : SECTION.test(before) ? "Updated" : "Added to";
  out.write(`${out.paint.green("✓")} ${verb} ${relativePath}: rules for coding agents\n`);
  return 0;
}

/** Replaces the section in a string, or appends it. */
function withSection(text: string, section: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const added = section.replaceAll(/\r?\n/g, eol);
  return SECTION.test(text) ? text.replace(SECTION, () => added) : `${text.trimEnd()}${eol}${eol}${added}`;
}
