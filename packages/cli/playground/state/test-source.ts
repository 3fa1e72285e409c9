import type { CreateMessageResult } from "@tenon/runtime/manifest";
import { hasFailed, refusalText, type Call } from "./calls.js";
import { claimsIn, REVISIONS } from "./notes.js";

/** The text of a vitest file that makes a call again, and expects what came of it. */
export function testSource(call: Call): string {
  const { entry, args, done } = call;
  const { kind, name } = entry;
  const group = { tool: "tools", prompt: "prompts", resource: "resources", template: "resources" }[kind];
  const given = Object.keys(args).length === 0 ? "" : code(args, 1);
  const made = `server.${group}${memberText(name)}`;
  const expected = done && expectation(call, `${made}(${given})`, `${made}.result(${given})`);
  return `import { connect } from "@tenon/cli/testing";
import { expect, test } from "vitest";

test(${JSON.stringify(titleOf(name, args))}, async () => {
  const server = await connect(new URL("..", import.meta.url)${optionsText(call)});
${expected ?? `  await ${made}(${given});`}
  await server.close();
});
`;
}

const TITLE_LENGTH = 72;

function titleOf(name: string, args: object): string {
  const title = `${name} ${JSON.stringify(args)}`;
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)}…` : title;
}

function expectation(call: Call, value: string, result: string): string {
  if (hasFailed(call)) {
    return `  await expect(${value}).rejects.toThrow(${JSON.stringify(refusalText(call))});`;
  }
  const outcome = call.done?.outcome;
  if (!outcome || !("result" in outcome)) return "";
  // The whole result, but for what says only by whom and when it was made.
  const {
    _meta: _who,
    resultType: _type,
    ttlMs: _ttl,
    cacheScope: _scope,
    ...rest
  } = outcome.result as object as Record<string, unknown>;
  return `  expect(await ${result}).toMatchObject(${code(rest, 1)});`;
}

/** Of its clients, those of this revision wait for tools that answer others with a task. */
const WITHOUT_TASKS = "2025-11-25";

function optionsText({ settings, answers, task }: Call): string {
  const { subject, scopes, claims, roots } = settings;
  const revision = task ? WITHOUT_TASKS : settings.revision;
  const elicit = answers.flatMap(({ kind, given }) =>
    kind === "elicitation"
      ? ["content" in given && given.action === "accept" ? given.content : given.action]
      : [],
  );
  const sample = answers.flatMap(({ kind, given }) => (kind === "sampling" ? [sampled(given)] : []));
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
          ...(claims.trim() !== "" && { claims: claimsIn(claims) }),
        };
  const options = {
    ...(revision !== REVISIONS[0] && { revision }),
    ...(subject !== "" && { principal }),
    ...(Object.keys(canned).length > 0 && { answers: canned }),
  };
  return Object.keys(options).length === 0 ? "" : `, ${code(options, 1)}`;
}

/** A text alone is said as one; of anything else, such as a call of a tool, what makes it what it is. */
function sampled({ content, stopReason }: CreateMessageResult): unknown {
  if (!Array.isArray(content) && content.type === "text") return content.text;
  return { content, ...(stopReason !== undefined && { stopReason }) };
}

/** A value as TypeScript, in as few lines as are read easily. */
function code(value: unknown, indent: number): string {
  const unquoted = (text: string): string => text.replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  const lines = unquoted(JSON.stringify(value, undefined, 2) ?? "undefined").split("\n");
  return lines.map((line, index) => (index === 0 ? line : `${"  ".repeat(indent)}${line}`)).join("\n");
}

function memberText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
