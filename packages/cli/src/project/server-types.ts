import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import type { Entry, HandlerParameter, HandlerRef, Manifest } from "@tenon/runtime/manifest";

/** Where it is written, in the project's folder. */
const FOLDER = ".tenon";

/** Has Git see nothing of the folder, in projects whose own `.gitignore` does not name it. */
const UNSEEN = [".gitignore", "*\n"] as const;

/** Writes `.tenon/server.d.ts`, by which tests of the project are typed. */
export function writeServerTypes(manifest: Manifest, root: string): void {
  const folder = join(root, FOLDER);
  const types = ["server.d.ts", serverTypes(manifest)] as const;
  // An author who keeps recordings in Git has changed it.
  const isIgnored = existsSync(join(folder, UNSEEN[0]));
  writeFileTree(new Map(isIgnored ? [types] : [UNSEEN, types]), folder);
}

type Definition = { name: string; description?: string | undefined };

/**
 * The text of `.tenon/server.d.ts`: which tool, prompt and resource is which of the author's methods, and where among its
 * parameters each argument is. TypeScript does the rest.
 */
function serverTypes({ tools, prompts, resources, resourceTemplates }: Manifest): string {
  const classes = new ClassTypes();
  const members = [
    part("tools", "ToolCall", tools, classes),
    part("prompts", "PromptCall", prompts, classes),
    part("resources", "ResourceCall", [...resources, ...resourceTemplates], classes),
  ];
  return `// Written by Tenon: what this project serves, for its tests.
import type { PromptCall, ResourceCall, ToolCall } from "@tenon/cli/testing";
${classes.imports()}
declare module "@tenon/cli/testing" {
  interface ProjectServer {
${members.join("")}  }
}
`;
}

function part(
  name: string,
  type: string,
  entries: readonly Entry<Definition>[],
  classes: ClassTypes,
): string {
  const calls = entries.map(({ definition, handler }) => {
    const method = `${classes.nameOf(handler)}[${JSON.stringify(handler.method)}]`;
    const call = `${type}<${method}, ${placesOf(handler.parameters)}>`;
    return `${comment(definition.description)}      ${JSON.stringify(definition.name)}: ${call};\n`;
  });
  return `    ${name}: {\n${calls.join("")}    };\n`;
}

function placesOf(parameters: readonly HandlerParameter[]): string {
  const whole = parameters.findIndex(({ from }) => from === "arguments");
  if (whole >= 0) return String(whole);
  const places = parameters.flatMap((parameter, index) => {
    if (parameter.from !== "argument") return [];
    return `${JSON.stringify(parameter.name)}: ${parameter.rest === true ? `[${index}]` : index}`;
  });
  return places.length === 0 ? "{}" : `{ ${places.join("; ")} }`;
}

function comment(description: string | undefined): string {
  if (description === undefined) return "";
  const lines = description.replaceAll("*/", "*\\/").split("\n");
  return `      /**\n${lines.map((line) => `       * ${line}`.trimEnd()).join("\n")}\n       */\n`;
}

/** The author's classes, each imported under a name of its own. */
class ClassTypes {
  readonly #names = new Map<string, string>();

  nameOf(handler: HandlerRef): string {
    const specifier = `../${handler.module.replace(/\.([cm]?)ts(x?)$/, ".$1js$2")}`;
    const key = `{ ${handler.export} as NAME } from ${JSON.stringify(specifier)}`;
    const known = this.#names.get(key) ?? `Class${this.#names.size + 1}`;
    this.#names.set(key, known);
    return handler.static === true ? `(typeof ${known})` : known;
  }

  imports(): string {
    return [...this.#names].map(([key, name]) => `import type ${key.replace("NAME", name)};\n`).join("");
  }
}
