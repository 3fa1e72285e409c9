import type { Manifest, ToolResult } from "@tenon/runtime/manifest";
import type { Recording } from "../../recording/format.js";
import { toToolValue } from "../../testing/call-value.js";
import type { Period } from "../../compare/json/volatile-values.js";
import type { IsIgnored } from "../../compare/json/json-differences.js";
import type { Session } from "../../recording/session.js";
import { formatAnswers } from "./answers.js";
import { listRecordedCalls, type RecordedCall } from "./calls.js";
import { createEarlierResults, type EarlierResults } from "./earlier-results.js";
import { toVolatilePattern, toExpectation } from "./expectation.js";
import { matchesSchema } from "./matches-schema.js";
import { toMemberAccess, toSource } from "./source-text.js";

/** The input for a generated test. */
export interface TestFileOptions {
  recording: Recording;
  session: Session;
  manifest: Manifest;
  /** The period in which the session was recorded. */
  period: Period;
  isIgnored: IsIgnored;
  /** The path of the project folder, relative to the test, such as `".."`. */
  project: string;
  /** The file name of the recording. */
  name: string;
}

/** A generated test. */
export interface TestFile {
  source: string;
  /** The number of calls in the test. */
  calls: number;
  /** The number of calls of the session that the test omits. */
  omitted: number;
}

/** A call, and the value that the test compares. */
interface TestedCall {
  /** The expression with the value to compare. */
  call: string;
  value: unknown;
  /** The path of the value in the result, which `--ignore` names. Empty for a part of the whole result. */
  path: readonly string[];
}

const INDENT = "  ";

/** Returns a Vitest file that repeats the calls of a session and expects the recorded results. */
export function createTestFile(options: TestFileOptions): TestFile {
  const { session, period, isIgnored, recording, project, name } = options;
  const earlierResults = createEarlierResults();
  /** Functions that return the lines. They are called last, when it is known which results need a constant. */
  const lines: ((answer?: string) => string)[] = [];
  const calls: RecordedCall[] = [];
  for (const each of listRecordedCalls(session)) {
    if ("reason" in each) {
      lines.push(() => `${INDENT}// Not repeated, since ${each.reason}: ${getName(each.exchange.params)}`);
      continue;
    }
    calls.push(each);
    if (each.answer.error) {
      const { message } = each.answer.error;
      const text = toVolatilePattern(message, period) ?? JSON.stringify(message);
      const request = formatRequest(each, earlierResults);
      lines.push(() => `${INDENT}await expect(${request}).rejects.toThrow(${text});`);
      continue;
    }
    const { call, value, path } = createCall(each, options, earlierResults);
    earlierResults.add(value, lines.length);
    const expectation = toExpectation(value, period, isIgnored, path);
    const matcher = path.length === 0 ? "toMatchObject" : expectation === value ? "toBe" : "toEqual";
    const expected = toSource(expectation, INDENT, call.length + matcher.length + 18);
    lines.push((answer) => {
      const end = `${matcher}(${expected});`;
      if (answer === undefined) return `${INDENT}expect(await ${call}).${end}`;
      return `${INDENT}const ${answer} = await ${call};\n${INDENT}expect(${answer}).${end}`;
    });
  }
  const answers = formatAnswers(session, calls);
  const revision = findRevision(session);
  const settings = [
    ...(revision === undefined ? [] : [`${INDENT}${INDENT}revision: ${JSON.stringify(revision)},\n`]),
    ...(answers === "" ? [] : [`${INDENT}${INDENT}answers: ${answers},\n`]),
  ];
  const body = lines.map((line, index) => line(earlierResults.toConstantName(index)));
  return {
    calls: calls.length,
    omitted: listRecordedCalls(session).length - calls.length,
    source: `// Written by \`tenon replay --write-test\` from ${name}.
import { connect } from "@tenon/cli/testing";
import { expect, it } from "vitest";

it(${JSON.stringify(`responds as on ${recording.startedAt.slice(0, 10)}`)}, async () => {
  await using server = await connect(new URL(${JSON.stringify(project)}, import.meta.url)${
    settings.length === 0 ? "" : `, {\n${settings.join("")}${INDENT}}`
  });
${body.join("\n")}
});
`,
  };
}

function createCall(
  call: RecordedCall,
  options: TestFileOptions,
  earlierResults: EarlierResults,
): TestedCall {
  const { exchange, answer } = call;
  const result = answer.result ?? {};
  const { method, params } = exchange;
  if (method === "prompts/get")
    return {
      call: `${formatRequest(call, earlierResults)}.then(({ messages }) => messages)`,
      value: result["messages"],
      path: ["messages"],
    };
  if (method === "resources/read")
    return {
      call: `${formatRequest(call, earlierResults)}.then(({ contents }) => contents)`,
      value: result["contents"],
      path: ["contents"],
    };
  const tool = options.manifest.tools.find(({ definition }) => definition.name === params["name"]);
  if (!tool || result["isError"] === true)
    return {
      call: formatRequest(call, earlierResults),
      value: { isError: true, content: result["content"] },
      path: [],
    };
  // A session that names no revision is legacy.
  const revision = findRevision(options.session) ?? "";
  const value = toToolValue(tool, result as unknown as ToolResult, revision);
  const args = params["arguments"] ?? {};
  const { content, structuredContent } = result;
  const isTyped = tool.input.conversion === undefined && matchesSchema(tool.definition.inputSchema, args);
  if (!isTyped)
    return {
      call: formatRequest(call, earlierResults),
      value: structuredContent === undefined ? { content } : { structuredContent },
      path: [],
    };
  const textPath = value === content ? ["content"] : ["content", "[0]", "text"];
  const dataPath = value === structuredContent ? ["structuredContent"] : ["structuredContent", "result"];
  return {
    call: `server.tools${toMemberAccess(tool.definition.name)}(${formatArguments(args, earlierResults)})`,
    value,
    path: structuredContent === undefined ? textPath : dataPath,
  };
}

/** Returns the expression for a call with the recorded arguments. */
function formatRequest(
  { exchange: { method, params } }: RecordedCall,
  earlierResults: EarlierResults,
): string {
  if (method === "resources/read")
    return `server.client.readResource(${formatValue(params["uri"], earlierResults)})`;
  const name = formatValue(params["name"], earlierResults);
  const args = formatArguments(params["arguments"] ?? {}, earlierResults);
  return `server.client.${method === "tools/call" ? "callTool" : "getPrompt"}(${name}${args && `, ${args}`})`;
}

function formatArguments(args: unknown, earlierResults: EarlierResults): string {
  return Object.keys(Object(args) as object).length === 0 ? "" : formatValue(args, earlierResults);
}

function formatValue(value: unknown, earlierResults: EarlierResults): string {
  return toSource(earlierResults.replaceIds(value), INDENT, 0);
}

function findRevision({ exchanges }: Session): string | undefined {
  for (const { method, params, answer } of exchanges) {
    const meta = Object(params["_meta"]) as Record<string, unknown>;
    const found =
      method === "initialize"
        ? answer?.result?.["protocolVersion"]
        : meta["io.modelcontextprotocol/protocolVersion"];
    if (typeof found === "string") return found;
  }
  return undefined;
}

function getName(params: Record<string, unknown>): string {
  return String(params["name"] ?? params["uri"]);
}
