import { SKILL_SCHEME } from "@tenon/runtime/manifest";
import { toElicitationScript, toMessageScript } from "../../src/answers/answer-notation.js";
import { hasFailed, getErrorText, type Call } from "./calls.js";
import type { Entry } from "./entries.js";
import { parseClaims, REVISIONS } from "./notes.js";

/** Returns a Vitest file that repeats a call and expects the same outcome. */
export function createTestSource(call: Call): string {
  const { entry, args, done } = call;
  const { name } = entry;
  const [value, result] = formatCalls(entry, args);
  const expected = done && formatExpectation(call, value, result);
  return `import { connect } from "@tenon/cli/testing";
import { expect, test } from "vitest";

test(${JSON.stringify(createTitle(name, args))}, async () => {
  const server = await connect(new URL("..", import.meta.url)${formatOptions(call)});
${expected ?? `  await ${value};`}
  await server.close();
});
`;
}

/** Returns the code that produces the value of a call, and its whole result. */
function formatCalls(
  { kind, key, name }: Pick<Entry, "kind" | "key" | "name">,
  args: object,
): [value: string, result: string] {
  // The files of skills in folders have no handler.
  if (kind === "skill" || (kind === "resource" && key.startsWith(SKILL_SCHEME))) {
    const read = `server.client.readResource(${JSON.stringify(key)})`;
    return [read, read];
  }
  const group = { tool: "tools", prompt: "prompts", resource: "resources", template: "resources" }[kind];
  const given = Object.keys(args).length === 0 ? "" : formatCode(args, 1);
  const callee = `server.${group}${formatMember(name)}`;
  return [`${callee}(${given})`, `${callee}.result(${given})`];
}

const MAX_TITLE_CHARACTERS = 72;

function createTitle(name: string, args: object): string {
  const title = `${name} ${JSON.stringify(args)}`;
  return title.length > MAX_TITLE_CHARACTERS ? `${title.slice(0, MAX_TITLE_CHARACTERS)}…` : title;
}

function formatExpectation(call: Call, value: string, result: string): string {
  if (hasFailed(call)) {
    return `  await expect(${value}).rejects.toThrow(${JSON.stringify(getErrorText(call))});`;
  }
  const outcome = call.done?.outcome;
  if (!outcome || !("result" in outcome)) return "";
  // The result without metadata, its type, and cache hints.
  const {
    _meta: _omitted,
    resultType: _type,
    ttlMs: _ttl,
    cacheScope: _scope,
    ...rest
  } = outcome.result as object as Record<string, unknown>;
  return `  expect(await ${result}).toMatchObject(${formatCode(rest, 1)});`;
}

/** The newest revision without task support. Its clients wait for the result of a tool that would be a task. */
const REVISION_WITHOUT_TASKS = "2025-11-25";

function formatOptions({ settings, answers, task }: Call): string {
  const { subject, scopes, claims, roots } = settings;
  const revision = task ? REVISION_WITHOUT_TASKS : settings.revision;
  const elicit = answers.flatMap(({ kind, given }) =>
    kind === "elicitation" ? [toElicitationScript({ ...given })] : [],
  );
  const sample = answers.flatMap(({ kind, given }) =>
    kind === "sampling" ? [toMessageScript({ ...given })] : [],
  );
  const canned = {
    ...(elicit.length > 0 && { elicit }),
    ...(sample.length > 0 && { sample }),
    ...(roots.length > 0 && { roots: roots.map((uri) => ({ uri })) }),
  };
  const principal =
    scopes.trim() + claims.trim() === ""
      ? subject
      : {
          subject,
          ...(scopes.trim() !== "" && { scopes: scopes.trim().split(/\s+/) }),
          ...(claims.trim() !== "" && { claims: parseClaims(claims) }),
        };
  const options = {
    ...(revision !== REVISIONS[0] && { revision }),
    ...(subject !== "" && { principal }),
    ...(Object.keys(canned).length > 0 && { answers: canned }),
  };
  return Object.keys(options).length === 0 ? "" : `, ${formatCode(options, 1)}`;
}

/**
 * Formats a value as TypeScript.
 *
 * @param indent the level of all lines but the first
 */
function formatCode(value: unknown, indent: number): string {
  const unquoted = (text: string): string => text.replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  const lines = unquoted(JSON.stringify(value, undefined, 2) ?? "undefined").split("\n");
  return lines.map((line, index) => (index === 0 ? line : `${"  ".repeat(indent)}${line}`)).join("\n");
}

function formatMember(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
