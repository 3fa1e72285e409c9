import { isDeepStrictEqual } from "node:util";
import type { Masked } from "../recording/mask.js";
import { comparable, type Period } from "./compare/changing.js";
import { differences, type Difference, type Ignored } from "./compare/differences.js";
import type { Played, Playing } from "./play.js";
import type { Answer, Exchange, Question, Session } from "../recording/session.js";

/** What a replay has shown of one request, or of one question of the server's. */
export interface Verdict {
  method: string;
  /** The tool, the prompt or the URI. */
  name?: string;
  params: Record<string, unknown>;
  status: "same" | "changed" | "not repeated" | "unanswered";
  /** Where the answer of a request, or the text of a question, is another. */
  differences: Difference[];
  /** As the end of a sentence. */
  reason?: string;
}

export interface Verdicts {
  requests: Verdict[];
  /** Of the server, those that are not as they were. */
  questions: Verdict[];
}

export interface CompareOptions {
  /** When the session was recorded. */
  recorded: Period;
  /** When it was played again. */
  replayed: Period;
  ignored: Ignored;
  mask: <Value>(value: Value) => Masked<Value>;
}

/** Compares what a server answered and asked with the recording. */
export function judge(session: Session, playing: Playing, options: CompareOptions): Verdicts {
  return {
    requests: session.exchanges.map((exchange) => {
      const played = playing.played.get(exchange) ?? { status: "unanswered" };
      return { ...described(exchange), ...verdictOf(exchange, played, options) };
    }),
    questions: questionVerdicts(session, playing, options),
  };
}

/** True when anything is not as it was. */
export function isChanged({ requests, questions }: Verdicts): boolean {
  return questions.length > 0 || requests.some(({ status }) => status === "changed");
}

/** The same, without the places that differ each time. */
function comparableAnswer(answer: Answer, period: Period): unknown {
  const { result = {}, error } = answer;
  return comparable(error ? { error } : withoutServerInfo(withoutRepetition(result)), period);
}

/** What the server says of itself in every result of 2026-07-28. */
function withoutServerInfo({ _meta, ...result }: Record<string, unknown>): Record<string, unknown> {
  if (typeof _meta !== "object" || _meta === null) return result;
  const { "io.modelcontextprotocol/serverInfo": _info, ...meta } = _meta as Record<string, unknown>;
  return Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result;
}

type Outcome = Pick<Verdict, "status" | "differences" | "reason">;

function verdictOf(exchange: Exchange, played: Played, options: CompareOptions): Outcome {
  if (played.status === "not repeated")
    return { status: "not repeated", differences: [], reason: played.reason };
  if (played.status === "silent")
    return { status: "changed", differences: [], reason: "no answer came in time" };
  if (exchange.isCancelled) return { status: "unanswered", differences: [], reason: "cancelled, as it was" };
  if (played.status === "unanswered" || !exchange.answer)
    return { status: "unanswered", differences: [], reason: "it had no answer" };
  // Only how far it had come just then.
  if (exchange.method === "tasks/get" && isUnfinished(exchange.answer))
    return { status: "same", differences: [] };
  if (!exchange.answer.error !== !played.answer.error) {
    const found = { path: "", before: kindOf(exchange.answer), after: kindOf(played.answer) };
    return { status: "changed", differences: [found] };
  }
  const found = differences(
    comparableAnswer(exchange.answer, options.recorded),
    comparableAnswer(options.mask(played.answer).value, options.replayed),
    options.ignored,
  );
  return { status: found.length > 0 ? "changed" : "same", differences: found };
}

/** The whole of an answer in a few words. */
function kindOf({ error }: Answer): string {
  return error ? `error ${error.code}: ${error.message}` : "a result";
}

function isUnfinished({ result }: Answer): boolean {
  return result?.["status"] === "working" || result?.["status"] === "input_required";
}

function questionVerdicts(session: Session, { asked, played }: Playing, options: CompareOptions): Verdict[] {
  const verdicts = asked.flatMap(({ question, recorded }): Verdict[] => {
    if (!recorded)
      return [
        { ...described(question), status: "changed", differences: [], reason: "it was not asked before" },
      ];
    const found = differences(
      comparable(withoutMeta(recorded), options.recorded),
      comparable(withoutMeta(options.mask(question).value), options.replayed),
      options.ignored,
    );
    return found.length > 0 ? [{ ...described(question), status: "changed", differences: found }] : [];
  });
  const isWhole = [...played.values()].every(({ status }) => status !== "not repeated");
  const answered = session.questions.filter((each) => each.answer && each.method !== "ping");
  const missing = answered.filter((each) => !asked.some(({ recorded }) => recorded === each));
  // Where a call was left out, its questions are, too.
  const lost = (isWhole ? missing : []).map((question): Verdict => {
    return { ...described(question), status: "changed", differences: [], reason: "it is not asked any more" };
  });
  return [...verdicts, ...lost];
}

function withoutMeta({ params: { _meta, ...params } }: Pick<Question, "params">): object {
  return params;
}

function described({
  method,
  params,
}: Pick<Question, "method" | "params">): Pick<Verdict, "method" | "name" | "params"> {
  const name = [params["name"], params["uri"], params["taskId"]].find((each) => typeof each === "string");
  return { method, params, ...(name !== undefined && { name }) };
}

/** JSON within texts as the value that it is; left out where it says what `structuredContent` says. */
function withoutRepetition(result: Record<string, unknown>): Record<string, unknown> {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return result;
  const parts = content.flatMap((each: unknown) => {
    const { type, text } = Object(each) as { type?: unknown; text?: unknown };
    const value = type === "text" && typeof text === "string" ? jsonIn(text) : undefined;
    if (value === undefined) return [each];
    return isDeepStrictEqual(value, structuredContent) ? [] : [{ ...(each as object), text: value }];
  });
  return { ...result, content: parts };
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
