import type { JsonSchema } from "@tenon/runtime/manifest";
import { toElicitationScript, toMessageScript } from "../../src/answers/answer-notation.js";
import { toSource } from "../../src/replay/test-file/source-text.js";
import { omitSecrets } from "../form/secrets.js";
import type { Call, Outcome } from "./calls.js";
import { parseClaims, REVISIONS } from "./notes.js";
import { toUri, toStrings } from "./request-entry.js";

/**
 * Returns a Vitest file that repeats a call and expects the same outcome. It sends the arguments as JSON, because those of the
 * method may have other types, such as `Date`, and the call may be one that the server rejects. The file
 * does not contain secret arguments.
 *
 * @param schema the schema of the arguments
 */
export function createTestSource(call: Call, schema: JsonSchema): string {
  const { entry, done } = call;
  const args = omitSecrets(call.args, schema);
  const request = formatRequest(entry, args);
  const expected = done && formatExpectation(done.outcome, request);
  const hasSecrets = JSON.stringify(args) !== JSON.stringify(call.args);
  return `import { connect } from "@tenon/cli/testing";
import { expect, test } from "vitest";

test(${JSON.stringify(createTitle(entry.name, args))}, async () => {
  const server = await connect(new URL("..", import.meta.url)${formatOptions(call)});
${hasSecrets ? `${INDENT}// The secret arguments were not copied. Add them here.\n` : ""}${expected ?? `${INDENT}await ${request};`}
  await server.close();
});
`;
}

/** Returns the code of a call. */
function formatRequest(entry: Call["entry"], args: Call["args"]): string {
  const { kind, key } = entry;
  if (kind !== "tool" && kind !== "prompt")
    return `server.client.readResource(${JSON.stringify(toUri(entry, args))})`;
  const given = kind === "tool" ? args : toStrings(args);
  const rest = Object.keys(given).length === 0 ? "" : `, ${toSource(given, INDENT, MAX_CALL_COLUMNS)}`;
  return `server.client.${kind === "tool" ? "callTool" : "getPrompt"}(${JSON.stringify(key)}${rest})`;
}

const INDENT = "  ";

/** The number of columns before the arguments of a call, unless its name is long. */
const MAX_CALL_COLUMNS = 46;

const MAX_TITLE_CHARACTERS = 72;

function createTitle(name: string, args: object): string {
  const title = `${name} ${JSON.stringify(args)}`;
  return title.length > MAX_TITLE_CHARACTERS ? `${title.slice(0, MAX_TITLE_CHARACTERS)}…` : title;
}

function formatExpectation(outcome: Outcome, request: string): string {
  if (outcome.type === "error")
    return `${INDENT}await expect(${request}).rejects.toThrow(${JSON.stringify(outcome.message)});`;
  // The result without metadata, its type, and cache hints.
  const {
    _meta: _omitted,
    resultType: _type,
    ttlMs: _ttl,
    cacheScope: _scope,
    ...rest
  } = outcome.result as object as Record<string, unknown>;
  return `${INDENT}expect(await ${request}).toMatchObject(${toSource(rest, INDENT, MAX_CALL_COLUMNS)});`;
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
  return Object.keys(options).length === 0 ? "" : `, ${toSource(options, INDENT, MAX_CALL_COLUMNS)}`;
}
