import { isDeepStrictEqual } from "node:util";
import type { Answer, Exchange, Question, Session } from "../../recording/session.js";

/** A call of the client, from its first request to its last response. */
export interface RecordedCall {
  /** The first request. */
  exchange: Exchange;
  answer: Answer;
  /** The questions in the results of this call, in revision 2026-07-28 or later, with their answers. */
  questions: Question[];
}

/** The methods that a test can call. */
const METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** A call, or the reason why a test cannot repeat it. */
export type CallOrReason = RecordedCall | { exchange: Exchange; reason: string };

/** Returns the calls of a session in order. Requests that continue a call belong to it. */
export function listRecordedCalls({ exchanges, questions }: Session): CallOrReason[] {
  const first = exchanges.filter(
    ({ method, params }) => METHODS.has(method) && params["requestState"] === undefined,
  );
  const calls = first.map((exchange) => {
    const call = readCall(exchange, exchanges);
    if ("reason" in call) return call;
    return listQuestions(call, questions).every(canBeScripted)
      ? call
      : { exchange, reason: "its answer cannot be scripted" };
  });
  const listRoots = (call: CallOrReason): unknown[] =>
    "reason" in call ? [] : listQuestions(call, questions).flatMap(findRoots);
  // A test shares the same folders in all calls.
  const roots = calls.flatMap(listRoots).at(-1);
  return calls.map((call) =>
    listRoots(call).every((each) => isDeepStrictEqual(each, roots))
      ? call
      : { exchange: call.exchange, reason: "the client shared other folders later" },
  );
}

/** Returns the questions of a call. */
function listQuestions({ exchange, questions }: RecordedCall, asked: readonly Question[]): Question[] {
  return [...asked.filter(({ during }) => during.includes(exchange)), ...questions];
}

/** Returns the folders that the client shared in its answer, or an empty list for other questions. */
function findRoots({ method, answer }: Question): unknown[] {
  return method === "roots/list" ? [answer?.result?.["roots"]] : [];
}

/** Returns whether a test can give the same answer. */
function canBeScripted({ method, answer }: Question): boolean {
  if (!answer?.result) return false;
  if (method !== "sampling/createMessage") return true;
  const { type } = Object(answer.result["content"]) as { type?: unknown };
  return type === "text";
}

function readCall(first: Exchange, exchanges: readonly Exchange[]): CallOrReason {
  const questions: Question[] = [];
  let last: Exchange = first;
  for (;;) {
    const reason = findSkipReason(last);
    if (reason !== undefined) return { exchange: first, reason };
    const { result = {} } = last.answer ?? {};
    if (result["resultType"] !== "input_required")
      return { exchange: first, answer: last.answer ?? {}, questions };
    const next = exchanges.find(({ params }) => params["requestState"] === result["requestState"]);
    if (!next) return { exchange: first, reason: "its request for input was not answered" };
    const answers = Object(next.params["inputResponses"]) as Record<string, Record<string, unknown>>;
    for (const [key, asked] of Object.entries(Object(result["inputRequests"]) as object)) {
      const { method, params } = asked as Question;
      const given = answers[key];
      questions.push({ method, params, during: [first], ...(given && { answer: { result: given } }) });
    }
    last = next;
  }
}

function findSkipReason({
  params,
  masked,
  maskedAnswers,
  answer,
  isCancelled,
}: Exchange): string | undefined {
  if (isCancelled || !answer) return "it was cancelled or received no response";
  if (params["task"] !== undefined || answer.result?.["resultType"] === "task") return "it ran as a task";
  const pointer = [...masked.filter((each) => each.startsWith("/message/params/")), ...maskedAnswers][0];
  return pointer === undefined ? undefined : `${pointer.split("/").slice(3).join(".")} was a secret`;
}
