/**
 * Generates the source of `api-client.ts` from the settings of an API and the modules in `client/`. A client with
 * openapi-fetch would let the argument `..` change the path of a request, and follow redirects to other origins.
 * @module
 */
import { readFileSync } from "node:fs";
import { writeSettings, type SettingsPlan } from "./settings-source.js";
import { toCommentText } from "./source-text.js";

/** The client to generate. */
export interface ClientPlan extends SettingsPlan {
  /** The title of the API. */
  readonly title: string;
}

/** Functions of the client that methods import. */
export const CLIENT_FUNCTIONS: readonly string[] =
  "bytesBody explodedSegment formBody jsonBody jsonSegment labelSegment linesBody matrixSegment multipartBody path styled textBody".split(
    " ",
  );

/**
 * Returns the source of the client, with only the declarations that the methods need.
 *
 * @param methods the statements of all methods
 */
export function writeClientSource(plan: ClientPlan, methods: readonly string[]): string {
  const calls = methods.join("\n");
  const readers = [...calls.matchAll(/this\.#api(\.\w+)/g)].map(([, name = ""]) => name);
  const functions = CLIENT_FUNCTIONS.filter((name) => new RegExp(`\\b${name}[(\`]`).test(calls));
  const settings = { name: "", text: writeSettings(plan) };
  const copied = ["api-client", "security", "bodies", "values", "http"].flatMap(readDeclarations);
  const needed = listNeededTexts([settings, ...copied], ["ApiClient", ...readers, ...functions]);
  const content = readers.includes(".content") ? "type Content, " : "";
  const heading = `/**
 * ${toCommentText(plan.title)}: its base URL, credentials, and encodings.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ${content}ToolError } from "@tenon/runtime";`;
  return `${[heading, ...needed].join("\n\n")}\n`;
}

interface Declaration {
  /** The name of the declaration; empty if it is always needed. */
  readonly name: string;
  readonly text: string;
}

/** Reads the declarations of a module and the methods of its class. Formatted modules have blank lines only between declarations. */
function readDeclarations(module: string): Declaration[] {
  const file = new URL(`../../../../src/import/openapi/client/${module}.ts`, import.meta.url);
  const [, ...texts] = readFileSync(file, "utf8")
    .trimEnd()
    .split(/\n\n(?=\S| {2}\S)/);
  return texts.map((text) => {
    const code = withoutComments(text);
    const [, declared] =
      /^(?:export )?(?:async )?(?:function|class|interface|type|const) (\w+)/m.exec(code) ?? [];
    const [, method] = /^ {2}(?:async )?(#?\w+)[<(]/m.exec(code) ?? [];
    const name = declared ?? (method === undefined || method === "constructor" ? "" : `.${method}`);
    const isExported = module === "api-client" || CLIENT_FUNCTIONS.includes(name);
    return { name, text: isExported ? text : text.replace(/^export /m, "") };
  });
}

/** Returns the declarations with the given names, and those that they need. */
function listNeededTexts(declarations: readonly Declaration[], names: readonly string[]): string[] {
  const needed = new Set(["", ...names]);
  // Iterating a set includes values that are added meanwhile.
  for (const name of needed) {
    for (const { text } of declarations.filter((each) => each.name === name)) {
      for (const [, member, word] of withoutComments(text).matchAll(/\bthis(\.#?\w+)|(\w+)/g))
        needed.add(member ?? word ?? "");
    }
  }
  return declarations.filter(({ name }) => needed.has(name)).map(({ text }) => text);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*[^]*?\*\/|^ *\/\/.*$/gm, "");
}
