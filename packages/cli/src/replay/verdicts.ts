import { isDeepStrictEqual } from "node:util";
import { LIST_METHODS } from "../project/list-methods.js";
import type { Masked } from "../recording/mask.js";
import { mayBeMasked, toComparable, type Period } from "../compare/json/volatile-values.js";
import { parseJsonText } from "../compare/json/json-in-text.js";
import { findDifferences, type Difference, type IsIgnored } from "../compare/json/json-differences.js";
import type { ReplayedExchange, ReplayedSession } from "./replay-session.js";
import type { Answer, Exchange, Question, Session } from "../recording/session.js";

/** The verdict on one request, or on one question of the server. */
export interface Verdict {
  method: string;
  /** The tool, prompt, URI, or task ID. */
  name?: string;
  params: Record<string, unknown>;
  status: "same" | "changed" | "not repeated" | "unanswered";
  /** The differences in the response to a request, or in the parameters of a question. */
  differences: Difference[];
  /** The reason for the status, as shown after the request. */
  reason?: string;
}

/** The verdicts on a session. */
export interface Verdicts {
  requests: Verdict[];
  /** The server's questions that changed. */
  questions: Verdict[];
}

/** The options for comparing a replay with its recording. */
export interface CompareOptions {
  /** The period in which the session was recorded. */
  recorded: Period;
  /** The period in which it was replayed. */
  replayed: Period;
  isIgnored: IsIgnored;
  mask: <Value>(value: Value) => Masked<Value>;
}

/** Compares the responses and questions of a server with the recording. */
export function compareSessions(
  session: Session,
  replayedSession: ReplayedSession,
  options: CompareOptions,
): Verdicts {
  return {
    requests: session.exchanges.map((exchange) => {
      const replayed = replayedSession.exchanges.get(exchange) ?? { status: "unanswered" };
      return { ...describe(exchange), ...compareExchange(exchange, replayed, options) };
    }),
    questions: compareQuestions(session, replayedSession, options),
  };
}

/** Returns whether anything differs from the recording. */
export function isChanged({ requests, questions }: Verdicts): boolean {
  return questions.length > 0 || requests.some(({ status }) => status === "changed");
}

/** Returns whether no request could be sent again, so that nothing is known about the server. */
export function isUnknown({ requests }: { requests: readonly Verdict[] }): boolean {
  return requests.every(({ status }) => status === "not repeated");
}

/** Returns a response without the values that differ in every run. */
function toComparableAnswer(answer: Answer, period: Period, method: string): unknown {
  const { result = {}, error } = answer;
  if (error) return toComparable({ error }, period);
  const comparable = withoutServerInfo(withoutRepetition(result));
  return toComparable(LIST_METHODS.has(method) ? withoutLifetime(comparable) : comparable, period);
}

/** Removes the lifetime of a list, which is not that of the server in `tenon dev`. */
function withoutLifetime({ ttlMs: _ttlMs, ...result }: Record<string, unknown>): Record<string, unknown> {
  return result;
}

/** Removes the server's information, which every result of 2026-07-28 repeats. */
function withoutServerInfo({ _meta, ...result }: Record<string, unknown>): Record<string, unknown> {
  if (typeof _meta !== "object" || _meta === null) return result;
  const { "io.modelcontextprotocol/serverInfo": _info, ...meta } = _meta as Record<string, unknown>;
  return Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result;
}

type Outcome = Pick<Verdict, "status" | "differences" | "reason">;

function compareExchange(exchange: Exchange, replayed: ReplayedExchange, options: CompareOptions): Outcome {
  if (replayed.status === "not repeated")
    return { status: "not repeated", differences: [], reason: replayed.reason };
  if (replayed.status === "silent")
    return { status: "changed", differences: [], reason: "no response arrived in time" };
  if (exchange.isCancelled)
    return { status: "unanswered", differences: [], reason: "cancelled, as in the recording" };
  if (replayed.status === "unanswered" || !exchange.answer)
    return { status: "unanswered", differences: [], reason: "there was no response" };
  // The progress of a task depends on the time.
  if (exchange.method === "tasks/get" && isUnfinished(exchange.answer))
    return { status: "same", differences: [] };
  if (!exchange.answer.error !== !replayed.answer.error) {
    const found = { path: "", before: getErrorKind(exchange.answer), after: getErrorKind(replayed.answer) };
    return { status: "changed", differences: [found] };
  }
  const found = findDifferences(
    toComparableAnswer(exchange.answer, options.recorded, exchange.method),
    toComparableAnswer(options.mask(replayed.answer).value, options.replayed, exchange.method),
    options.isIgnored,
  ).filter(({ before, after }) => !mayBeMasked(before, after));
  return { status: found.length > 0 ? "changed" : "same", differences: found };
}

/** Returns a short description of a response. */
function getErrorKind({ error }: Answer): string {
  return error ? `error ${error.code}: ${error.message}` : "a result";
}

function isUnfinished({ result }: Answer): boolean {
  return result?.["status"] === "working" || result?.["status"] === "input_required";
}

function compareQuestions(
  session: Session,
  { asked, exchanges }: ReplayedSession,
  options: CompareOptions,
): Verdict[] {
  const verdicts = asked.flatMap(({ question, recorded }): Verdict[] => {
    if (!recorded)
      return [
        { ...describe(question), status: "changed", differences: [], reason: "it is not in the recording" },
      ];
    const found = findDifferences(
      toComparable(withoutMeta(recorded), options.recorded),
      toComparable(withoutMeta(options.mask(question).value), options.replayed),
      options.isIgnored,
    ).filter(({ before, after }) => !mayBeMasked(before, after));
    return found.length > 0 ? [{ ...describe(question), status: "changed", differences: found }] : [];
  });
  const isComplete = [...exchanges.values()].every(({ status }) => status !== "not repeated");
  const answered = session.questions.filter((each) => each.answer && each.method !== "ping");
  const missing = answered.filter((each) => !asked.some(({ recorded }) => recorded === each));
  // If a request was not repeated, its questions may be missing, too.
  const lost = (isComplete ? missing : []).map((question): Verdict => {
    return {
      ...describe(question),
      status: "changed",
      differences: [],
      reason: "the server no longer sends it",
    };
  });
  return [...verdicts, ...lost];
}

function withoutMeta({ params: { _meta, ...params } }: Pick<Question, "params">): object {
  return params;
}

function describe({
  method,
  params,
}: Pick<Question, "method" | "params">): Pick<Verdict, "method" | "name" | "params"> {
  const name = [params["name"], params["uri"], params["taskId"]].find((each) => typeof each === "string");
  return { method, params, ...(name !== undefined && { name }) };
}

/** Parses JSON in text content, and removes it if it repeats `structuredContent`. */
function withoutRepetition(result: Record<string, unknown>): Record<string, unknown> {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return result;
  const parts = content.flatMap((each: unknown) => {
    const { type, text } = Object(each) as { type?: unknown; text?: unknown };
    const value = type === "text" && typeof text === "string" ? parseJsonText(text) : undefined;
    if (value === undefined) return [each];
    return isDeepStrictEqual(value, structuredContent) ? [] : [{ ...(each as object), text: value }];
  });
  return { ...result, content: parts };
}
