import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCompiler, writeFileTree } from "@tenon/compiler";
import { assertPackage, findProjectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import type { AddOptions } from "./add.js";

/** Matches the name of a skill, optionally with the folders that contain it. */
const PATH = /^(?!.*--)[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?(?:\/[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?)*$/;

/** The maximum number of tools that the sample mentions. */
const MAX_TOOLS = 2;

/**
 * Runs `tenon add skill <name>`: writes `skills/<name>/SKILL.md`, which mentions tools of the project.
 *
 * @throws Failure if the name is invalid, or the skill already exists
 */
export function addSkill(terminal: Terminal, name: string | undefined, options: AddOptions): number {
  const root = findProjectRoot(".", terminal.cwd);
  assertPackage(root);
  if (name === undefined)
    throw new Failure("The name of the skill is missing.", {
      hint: "Write it after the kind: `tenon add skill NAME`.",
      exitCode: 2,
    });
  if (!PATH.test(name))
    throw new Failure(`Clients reject the skill name \`${name}\`.`, {
      hint: "Use at most 64 lowercase letters and digits, with single hyphens between them, such as `refund-orders`.",
      exitCode: 2,
    });
  if (options.file !== undefined || options.class !== undefined)
    throw new Failure("A skill is always in its own folder, skills/NAME.", {
      hint: "Omit --file and --class. To group skills in a folder, use a name such as `billing/refunds`.",
      exitCode: 2,
    });
  const path = `skills/${name}/SKILL.md`;
  if (existsSync(join(root, path)))
    throw new Failure(`${path} already exists.`, { hint: "Choose another name." });
  const { manifest } = createCompiler({ root, typeCheck: false }).compile();
  const tools = (manifest?.tools ?? []).map(({ definition }) => definition.name);
  writeFileTree(new Map([[path, writeSample(name, tools)]]), root);
  const { paint } = terminal.out;
  terminal.out.write(`${paint.green("✓")} skill ${paint.bold(name)} in ${path}\n\n`);
  terminal.out.write("Describe when to use it, and write the steps. Then check what clients see:\n\n");
  terminal.out.write(`  ${paint.bold("npx tenon inspect")}\n`);
  return 0;
}

function writeSample(path: string, tools: readonly string[]): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  const [first, second] = tools.slice(0, MAX_TOOLS);
  const steps = [
    ...(first === undefined ? ["Collect what the task needs."] : [`Call \`${first}\`.`]),
    ...(second === undefined ? [] : [`Then call \`${second}\` with its result.`]),
    "Tell the user what you did.",
  ];
  return `---
name: ${name}
description: ${title}, step by step. Use it when a user asks for this task.
---

# ${title}

${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}
`;
}
