import type { Answer, Exchange, Question, Session } from "../../recording/session.js";

/** A call of the client's, from its first request to its last answer. */
export interface RecordedCall {
  /** The first request. */
  exchange: Exchange;
  answer: Answer;
  /** Questions of this call, with what was answered, that came with its results (2026-07-28). */
  questions: Question[];
}

/** What a test calls. */
const METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** A call, or why a test cannot make it. */
export type CallOrObstacle = RecordedCall | { exchange: Exchange; obstacle: string };

/** The calls of a session in their order; requests that go on with a call belong to it. */
export function recordedCalls({ exchanges, questions }: Session): CallOrObstacle[] {
  const first = exchanges.filter(
    ({ method, params }) => METHODS.has(method) && params["requestState"] === undefined,
  );
  return first.map((exchange) => {
    const call = callFrom(exchange, exchanges);
    if ("obstacle" in call) return call;
    const asked = [...questions.filter(({ during }) => during.includes(exchange)), ...call.questions];
    return asked.every(isCanned) ? call : { exchange, obstacle: "its client answered in a way of its own" };
  });
}

/** True for what a test can answer the same way. */
function isCanned({ method, answer }: Question): boolean {
  if (!answer?.result) return false;
  if (method !== "sampling/createMessage") return true;
  const { type } = Object(answer.result["content"]) as { type?: unknown };
  return type === "text";
}

function callFrom(first: Exchange, exchanges: readonly Exchange[]): CallOrObstacle {
  const questions: Question[] = [];
  let last: Exchange = first;
  for (;;) {
    const obstacle = obstacleOf(last);
    if (obstacle !== undefined) return { exchange: first, obstacle };
    const { result = {} } = last.answer ?? {};
    if (result["resultType"] !== "input_required")
      return { exchange: first, answer: last.answer ?? {}, questions };
    const next = exchanges.find(({ params }) => params["requestState"] === result["requestState"]);
    if (!next) return { exchange: first, obstacle: "what it asked was not answered" };
    const answers = Object(next.params["inputResponses"]) as Record<string, Record<string, unknown>>;
    for (const [key, asked] of Object.entries(Object(result["inputRequests"]) as object)) {
      const { method, params } = asked as Question;
      const given = answers[key];
      questions.push({ method, params, during: [first], ...(given && { answer: { result: given } }) });
    }
    last = next;
  }
}

function obstacleOf({ params, masked, maskedAnswers, answer, isCancelled }: Exchange): string | undefined {
  if (isCancelled || !answer) return "it was cancelled, or not answered";
  if (params["task"] !== undefined || answer.result?.["resultType"] === "task") return "it ran as a task";
  const place = [...masked.filter((each) => each.startsWith("/message/params/")), ...maskedAnswers][0];
  return place === undefined ? undefined : `${place.split("/").slice(3).join(".")} was a secret`;
}
