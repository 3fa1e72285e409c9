import type { Manifest, ToolResult } from "@tenon/runtime/manifest";
import type { Recording } from "../../recording/format.js";
import { toolValue } from "../../testing/call-value.js";
import { comparable, type Period } from "../compare/changing.js";
import type { Ignored } from "../compare/differences.js";
import type { Session } from "../../recording/session.js";
import { answersText } from "./answers.js";
import { recordedCalls, type RecordedCall } from "./calls.js";
import { createEarlierAnswers, type EarlierAnswers } from "./earlier-answers.js";
import { changingPattern, expected } from "./expectation.js";
import { fits } from "./fits.js";
import { memberText, sourceOf } from "./source-text.js";

export interface TestFileOptions {
  recording: Recording;
  session: Session;
  manifest: Manifest;
  /** When the session was recorded. */
  period: Period;
  ignored: Ignored;
  /** The project folder as the test finds it, such as `".."`. */
  project: string;
  /** The name of the recording's file. */
  name: string;
}

export interface TestFile {
  source: string;
  /** How many calls the test makes. */
  calls: number;
  /** How many calls of the session it does not make. */
  left: number;
}

/** A call, and the value that the test compares. */
interface Written {
  /** An expression whose value is to be compared. */
  call: string;
  value: unknown;
  /** `toEqual`, or `toMatchObject` for what only has to be there. */
  matcher: string;
}

const INDENT = "  ";

/** A test for vitest that makes the calls of a session and expects the answers that there were. */
export function testSource(options: TestFileOptions): TestFile {
  const { session, period, ignored, recording, project, name } = options;
  const earlier = createEarlierAnswers();
  /** Each is written when it is known which of the answers have names. */
  const lines: ((answer?: string) => string)[] = [];
  const made: RecordedCall[] = [];
  for (const each of recordedCalls(session)) {
    if ("obstacle" in each) {
      lines.push(() => `${INDENT}// Not repeated, since ${each.obstacle}: ${nameOf(each.exchange.params)}`);
      continue;
    }
    made.push(each);
    if (each.answer.error) {
      const { message } = each.answer.error;
      const text = changingPattern(message, period) ?? JSON.stringify(message);
      const request = requestText(each, earlier);
      lines.push(() => `${INDENT}await expect(${request}).rejects.toThrow(${text});`);
      continue;
    }
    const { call, value, matcher } = writtenCall(each, options, earlier);
    earlier.add(value, lines.length);
    const wanted = sourceOf(expected(value, period, ignored), INDENT, call.length + matcher.length + 18);
    lines.push((answer) => {
      const end = `${matcher}(${wanted});`;
      if (answer === undefined) return `${INDENT}expect(await ${call}).${end}`;
      return `${INDENT}const ${answer} = await ${call};\n${INDENT}expect(${answer}).${end}`;
    });
  }
  const answers = answersText(session, made);
  const revision = revisionOf(session);
  const settings = [
    ...(revision === undefined ? [] : [`${INDENT}${INDENT}revision: ${JSON.stringify(revision)},\n`]),
    ...(answers === "" ? [] : [`${INDENT}${INDENT}answers: ${answers},\n`]),
  ];
  const body = lines.map((line, index) => line(earlier.nameOf(index)));
  return {
    calls: made.length,
    left: recordedCalls(session).length - made.length,
    source: `// Written by \`tenon replay --test\` from ${name}.
import { connect } from "@tenon/cli/testing";
import { expect, it } from "vitest";

it(${JSON.stringify(`answers as on ${recording.startedAt.slice(0, 10)}`)}, async () => {
  await using server = await connect(new URL(${JSON.stringify(project)}, import.meta.url)${
    settings.length === 0 ? "" : `, {\n${settings.join("")}${INDENT}}`
  });
${body.join("\n")}
});
`,
  };
}

function writtenCall(call: RecordedCall, options: TestFileOptions, earlier: EarlierAnswers): Written {
  const { exchange, answer } = call;
  const result = answer.result ?? {};
  const { method, params } = exchange;
  if (method === "prompts/get")
    return {
      call: `${requestText(call, earlier)}.then(({ messages }) => messages)`,
      value: result["messages"],
      matcher: "toEqual",
    };
  if (method === "resources/read")
    return {
      call: `${requestText(call, earlier)}.then(({ contents }) => contents)`,
      value: result["contents"],
      matcher: "toEqual",
    };
  const tool = options.manifest.tools.find(({ definition }) => definition.name === params["name"]);
  if (!tool || result["isError"] === true)
    return {
      call: requestText(call, earlier),
      value: { isError: true, content: result["content"] },
      matcher: "toMatchObject",
    };
  const value = toolValue(tool, result as unknown as ToolResult);
  const args = params["arguments"] ?? {};
  const isTyped = tool.input.conversion === undefined && fits(tool.definition.inputSchema, args);
  if (!isTyped) {
    const { content, structuredContent } = result;
    return {
      call: requestText(call, earlier),
      value: structuredContent === undefined ? { content } : { structuredContent },
      matcher: "toMatchObject",
    };
  }
  return {
    call: `server.tools${memberText(tool.definition.name)}(${argumentsText(args, earlier)})`,
    value,
    matcher: Object(value) !== value && comparable(value, options.period) === value ? "toBe" : "toEqual",
  };
}

/** A call as it went over the wire. */
function requestText({ exchange: { method, params } }: RecordedCall, earlier: EarlierAnswers): string {
  if (method === "resources/read") return `server.client.readResource(${valueText(params["uri"], earlier)})`;
  const name = valueText(params["name"], earlier);
  const args = argumentsText(params["arguments"] ?? {}, earlier);
  return `server.client.${method === "tools/call" ? "callTool" : "getPrompt"}(${name}${args && `, ${args}`})`;
}

function argumentsText(args: unknown, earlier: EarlierAnswers): string {
  return Object.keys(Object(args) as object).length === 0 ? "" : valueText(args, earlier);
}

function valueText(value: unknown, earlier: EarlierAnswers): string {
  return sourceOf(earlier.referred(value), INDENT, 0);
}

function revisionOf({ exchanges }: Session): string | undefined {
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

function nameOf(params: Record<string, unknown>): string {
  return String(params["name"] ?? params["uri"]);
}
