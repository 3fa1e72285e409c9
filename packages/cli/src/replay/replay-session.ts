import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Principal } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { declareListChanged } from "../dev/proxy/list-changed.js";
import type { JsonRpcMessage } from "../recording/format.js";
import { parsePointer } from "../compare/json/json-pointer.js";
import { createSubstitutions } from "./substitutions.js";
import type { Answer, Exchange, Question, Session } from "../recording/session.js";

/** The outcome of one replayed request. */
export type ReplayedExchange =
  | { status: "answered"; answer: Answer }
  /** The request was not sent again. `reason` completes the sentence "not repeated: …". */
  | { status: "not repeated"; reason: string }
  /** There was no response, and the recording has none either, or the request was cancelled. */
  | { status: "unanswered" }
  /** The recording has a response, but none arrived in time. */
  | { status: "silent" };

/** The outcome of a replayed session. */
export interface ReplayedSession {
  exchanges: Map<Exchange, ReplayedExchange>;
  /** The server's questions, each with the recorded question whose answer was used. */
  asked: { question: AskedQuestion; recorded?: Question | undefined }[];
}

/** A question of the server during the replay. */
type AskedQuestion = Pick<Question, "method" | "params">;

/** The options of a replay. */
export interface ReplaySessionOptions {
  /** The caller on whose behalf to send the requests. */
  principal?: Principal | undefined;
  /** The values of secrets, by their masks in the recording. */
  secrets?: ReadonlyMap<string, string>;
  /** The maximum time to wait for each response. */
  timeoutMs: number;
}

const NO_ANSWER = { code: -32_603, message: "The recording contains no answer to this request." };
/** The states of a task whose handler runs. */
const RUNNING: readonly unknown[] = ["working", "submitted"];
/** The states of a task without a result. */
const UNFINISHED: readonly unknown[] = [...RUNNING, "input_required"];
const POLL_INTERVAL_MS = 100;

/**
 * Sends the client's messages from a recorded session to a server, and answers the server's questions as the client did.
 * Each message waits for the responses that had arrived before it in the recording.
 */
export async function replaySession(
  server: Server,
  session: Session,
  options: ReplaySessionOptions,
): Promise<ReplayedSession> {
  const replayedSession: ReplayedSession = { exchanges: new Map(), asked: [] };
  const substitutions = createSubstitutions(options.secrets);
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const ids = new Map<Exchange, number>();
  const running = new Map<Exchange, Promise<ReplayedExchange>>();
  const unused = session.questions.slice();
  let awaited: Exchange[] = [];
  let lastId = 0;

  const development: Server = { ...server, sendsMessages: true };
  const peer = {
    send: (text: string) => receiveFromServer(JSON.parse(text) as JsonRpcMessage),
    principal: options.principal,
  };
  const connection = development.connect(peer, { isDevelopment: true });
  const send = async (message: object): Promise<void> => {
    const reply = await connection.receive({ jsonrpc: "2.0", ...message }, peer);
    if (reply) receiveFromServer(JSON.parse(reply.text) as JsonRpcMessage);
  };
  const receiveFromServer = (message: JsonRpcMessage): void => {
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) waiting.get(id)?.({ ...(result && { result }), ...(error && { error }) });
    else if (id !== undefined) void send({ id, ...answerQuestion({ method, params }) });
  };
  const answerQuestion = (question: AskedQuestion): Answer => {
    if (question.method === "ping") return { result: {} };
    const recorded = findRecordedQuestion(question, unused);
    if (recorded) unused.splice(unused.indexOf(recorded), 1);
    replayedSession.asked.push({ question, recorded });
    return substitutions.apply(recorded?.answer ?? { error: NO_ANSWER });
  };

  const request = async (exchange: Exchange): Promise<Answer | undefined> => {
    const id = ++lastId;
    ids.set(exchange, id);
    const { method } = exchange;
    const params = substitutions.apply(renameAnswerKeys(exchange.params, replayedSession));
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      waiting.set(id, resolve);
      if (exchange.answer) timer = setTimeout(() => resolve(undefined), options.timeoutMs);
      void send({ id, method, params });
    });
    clearTimeout(timer);
    return answer;
  };
  /** Repeats `tasks/get` while the task has one of these states. */
  const getTask = async (get: Exchange, states: readonly unknown[]): Promise<Answer | undefined> => {
    const end = performance.now() + options.timeoutMs;
    for (;;) {
      const answer = await request(get);
      if (!answer || !states.includes(answer.result?.["status"]) || performance.now() > end) return answer;
      await delay(POLL_INTERVAL_MS);
    }
  };
  /** Sends a request about a task when the task has come as far as in the recording. */
  const requestInTime = async (exchange: Exchange): Promise<Answer | undefined> => {
    const { method, params, answer } = exchange;
    const { taskId, _meta } = params;
    // A task ignores answers to questions that it has not asked yet.
    if (method === "tasks/update")
      await getTask({ ...exchange, method: "tasks/get", params: { taskId, _meta } }, RUNNING);
    const wasDone = answer !== undefined && !UNFINISHED.includes(answer.result?.["status"]);
    return method === "tasks/get" && wasDone ? getTask(exchange, UNFINISHED) : request(exchange);
  };
  const play = async (exchange: Exchange): Promise<ReplayedExchange> => {
    const reason = findSkipReason(exchange, substitutions.knows, replayedSession);
    if (reason !== undefined) return { status: "not repeated", reason };
    const answer = await requestInTime(exchange);
    if (!answer) return { status: "silent" };
    if (exchange.answer) substitutions.learn(exchange.answer, answer);
    return {
      status: "answered",
      answer: exchange.method === "initialize" ? declareListChanged(answer) : answer,
    };
  };
  /** Waits for the responses that had arrived by this point in the recording. */
  const catchUp = async (): Promise<void> => {
    const due = awaited;
    awaited = [];
    for (const exchange of due) await running.get(exchange);
  };

  for (const step of session.steps) {
    if (step.kind === "answer") {
      awaited.push(step.exchange);
      continue;
    }
    await catchUp();
    if (step.kind === "notification") {
      const { method, params = {} } = step.message;
      const requestId = step.cancels && ids.get(step.cancels);
      await send({
        method,
        params: substitutions.apply({ ...params, ...(requestId !== undefined && { requestId }) }),
      });
      continue;
    }
    const { exchange } = step;
    const task = play(exchange).then((replayed) => {
      replayedSession.exchanges.set(exchange, replayed);
      return replayed;
    });
    running.set(exchange, task);
  }
  await catchUp();
  connection.close();
  for (const exchange of session.exchanges)
    if (!replayedSession.exchanges.has(exchange))
      replayedSession.exchanges.set(exchange, { status: "unanswered" });
  return replayedSession;
}

/** Returns the reason why a request cannot be repeated, or undefined. */
function findSkipReason(
  { params, masked, maskedAnswers }: Exchange,
  knows: (mask: string) => boolean,
  { exchanges }: ReplayedSession,
): string | undefined {
  const secret = masked.find((pointer) => isInParams(pointer) && !knows(String(getValue(params, pointer))));
  if (secret !== undefined) return `${formatPointer(secret)} was a secret`;
  const [answered] = maskedAnswers;
  if (answered !== undefined) return `the answer in \`${formatPointer(answered)}\` was a secret`;
  const [, continued] = findContinuedCall(params, exchanges) ?? [];
  if (!continued) return undefined;
  if (continued.status !== "answered") return "the call that it continues was not repeated";
  return continued.answer.result?.["requestState"] === undefined
    ? "the server no longer requests input"
    : undefined;
}

/** Returns the request that this one continues with answers, and the outcome of that request. */
function findContinuedCall(
  { requestState }: Exchange["params"],
  exchanges: ReplayedSession["exchanges"],
): [Exchange, ReplayedExchange] | undefined {
  if (requestState === undefined) return undefined;
  return [...exchanges].find(([{ answer }]) => answer?.result?.["requestState"] === requestState);
}

/** Renames the keys of answers to those of the questions in this replay, which have the same order. */
function renameAnswerKeys(params: Exchange["params"], { exchanges }: ReplayedSession): Exchange["params"] {
  const { inputResponses } = params;
  const [exchange, continued] = findContinuedCall(params, exchanges) ?? [];
  if (!exchange || continued?.status !== "answered") return params;
  const recordedKeys = Object.keys(Object(exchange.answer?.result?.["inputRequests"]) as object);
  const keys = Object.keys(Object(continued.answer.result?.["inputRequests"]) as object);
  const renamed = Object.entries(Object(inputResponses) as object).map(([key, each]: [string, unknown]) => {
    return [keys.includes(key) ? key : (keys[recordedKeys.indexOf(key)] ?? key), each] as const;
  });
  return { ...params, inputResponses: Object.fromEntries(renamed) };
}

function isInParams(pointer: string): boolean {
  return pointer.startsWith("/message/params/");
}

function getValue(params: unknown, pointer: string): unknown {
  const names = parsePointer(pointer).slice(2);
  return names.reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], params);
}

/** Formats a JSON Pointer: `/message/params/arguments/apiKey` becomes `arguments.apiKey`. */
function formatPointer(pointer: string): string {
  return pointer.split("/").slice(3).join(".");
}

/** Returns the recorded question that is equal to this one, or else the first with the same method. */
function findRecordedQuestion(question: AskedQuestion, recorded: readonly Question[]): Question | undefined {
  const sameMethod = recorded.filter(({ method }) => method === question.method);
  return (
    sameMethod.find(({ params }) => isDeepStrictEqual(omitMeta(params), omitMeta(question.params))) ??
    sameMethod[0]
  );
}

function omitMeta({ _meta, ...params }: Record<string, unknown>): object {
  return params;
}
