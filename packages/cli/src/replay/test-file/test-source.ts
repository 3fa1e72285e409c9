import type { Recording } from "../../recording/format.js";
import type { Period } from "../../compare/json/volatile-values.js";
import type { IsIgnored } from "../../compare/json/json-differences.js";
import type { Session } from "../../recording/session.js";
import { formatAnswers } from "./answers.js";
import { listRecordedCalls, type RecordedCall } from "./calls.js";
import { createEarlierResults, type EarlierResults } from "./earlier-results.js";
import { toVolatilePattern, toExpectation } from "./expectation.js";
import { toSource } from "./source-text.js";

/** The input for a generated test. */
export interface TestFileOptions {
  recording: Recording;
  session: Session;
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

const INDENT = "  ";

/** Returns a Vitest file that repeats the calls of a session and expects the recorded results. */
export function createTestFile(options: TestFileOptions): TestFile {
  const { session, period, isIgnored, recording, project, name } = options;
  const earlierResults = createEarlierResults();
  /** Functions that return the lines. They are called last, when it is known which results need a constant. */
  const lines: ((constant?: string) => string)[] = [];
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
    const { result = {} } = each.answer;
    const request = formatRequest(each, earlierResults);
    const member = getComparedMember(each);
    earlierResults.add({ [member]: result[member] }, lines.length);
    const value = toExpectation(result[member], period, isIgnored, [member]);
    const [matcher, expected] =
      result["isError"] === true
        ? ["toMatchObject(", { isError: true, [member]: value }]
        : [`toHaveProperty(${JSON.stringify(member)}, `, value];
    const expectation = `${matcher}${toSource(expected, INDENT, request.length + matcher.length + 17)});`;
    lines.push((constant) => {
      if (constant === undefined) return `${INDENT}expect(await ${request}).${expectation}`;
      return `${INDENT}const ${constant}: any = await ${request};\n${INDENT}expect(${constant}).${expectation}`;
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

/** Returns the member of a call's result that a test compares. */
function getComparedMember({ exchange: { method }, answer: { result = {} } }: RecordedCall): string {
  if (method === "prompts/get") return "messages";
  if (method === "resources/read") return "contents";
  return "structuredContent" in result ? "structuredContent" : "content";
}

/**
 * Returns the expression for a call with the recorded arguments. It sends JSON with `server.client`: the parameters of the
 * method may have types for which JSON has no literals, such as an enum, and the server may have rejected the call.
 */
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
