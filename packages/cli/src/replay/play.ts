import { isDeepStrictEqual } from "node:util";
import type { Principal } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { declareListChanged } from "../dev/proxy/list-changed.js";
import type { JsonRpcMessage } from "../recording/format.js";
import { createLearnt } from "./learnt.js";
import type { Answer, Exchange, Question, Session } from "../recording/session.js";

/** What came of one request, played again. */
export type Played =
  | { status: "answered"; answer: Answer }
  /** @param reason as the end of a sentence that begins with "not repeated: " */
  | { status: "not repeated"; reason: string }
  /** Nor was it in the recording, or it had been cancelled. */
  | { status: "unanswered" }
  /** There was an answer in the recording, and none came in time. */
  | { status: "silent" };

export interface Playing {
  played: Map<Exchange, Played>;
  /** What the server asked, each with the recorded question that it was answered like. */
  asked: { question: Asked; recorded?: Question | undefined }[];
}

/** What the server asks while it is played. */
type Asked = Pick<Question, "method" | "params">;

export interface PlayOptions {
  /** Who calls. */
  principal?: Principal | undefined;
  /** Values of secrets, by what stands in their place in the recording. */
  secrets?: ReadonlyMap<string, string>;
  /** How long an answer is waited for. */
  timeoutMs: number;
}

const NO_ANSWER = { code: -32_603, message: "The recording has no answer to this." };
/** In which a task has no result yet. */
const UNFINISHED: ReadonlySet<unknown> = new Set(["working", "input_required", "submitted"]);
const POLL_MS = 100;

/**
 * Sends a server what the client of a recorded session sent, each message when everything is there that had been there then,
 * and answers what the server asks as the client did.
 */
export async function playSession(server: Server, session: Session, options: PlayOptions): Promise<Playing> {
  const playing: Playing = { played: new Map(), asked: [] };
  const learnt = createLearnt(options.secrets);
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const ids = new Map<Exchange, number>();
  const running = new Map<Exchange, Promise<Played>>();
  const unused = session.questions.slice();
  let awaited: Exchange[] = [];

  const development: Server = { ...server, sendsMessages: true };
  const connection = development.connect(
    { send: (text) => takeFromServer(JSON.parse(text) as JsonRpcMessage), principal: options.principal },
    { isDevelopment: true },
  );
  const send = async (message: object): Promise<void> => {
    const reply = await connection.receive({ jsonrpc: "2.0", ...message });
    if (reply) takeFromServer(JSON.parse(reply.text) as JsonRpcMessage);
  };
  const takeFromServer = (message: JsonRpcMessage): void => {
    const { id, method, params = {}, result, error } = message;
    if (method === undefined) waiting.get(id)?.({ ...(result && { result }), ...(error && { error }) });
    else if (id !== undefined) void send({ id, ...answerTo({ method, params }) });
  };
  const answerTo = (question: Asked): Answer => {
    if (question.method === "ping") return { result: {} };
    const recorded = likest(question, unused);
    if (recorded) unused.splice(unused.indexOf(recorded), 1);
    playing.asked.push({ question, recorded });
    return learnt.apply(recorded?.answer ?? { error: NO_ANSWER });
  };

  const request = async (exchange: Exchange): Promise<Answer | undefined> => {
    const id = ids.size + 1;
    ids.set(exchange, id);
    const { method } = exchange;
    const params = learnt.apply(withNewKeys(exchange.params, playing));
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      waiting.set(id, resolve);
      if (exchange.answer) timer = setTimeout(() => resolve(undefined), options.timeoutMs);
      void send({ id, method, params });
    });
    clearTimeout(timer);
    return answer;
  };
  /** Asks for a task again until it has come as far as it had. */
  const requestUntilDone = async (exchange: Exchange): Promise<Answer | undefined> => {
    const isDone = ({ result }: Answer): boolean => !UNFINISHED.has(result?.["status"]);
    const wasDone = exchange.answer !== undefined && isDone(exchange.answer);
    const end = performance.now() + options.timeoutMs;
    for (;;) {
      const answer = await request(exchange);
      const isAwaited = exchange.method === "tasks/get" && wasDone && answer && !isDone(answer);
      if (!isAwaited || performance.now() > end) return answer;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const play = async (exchange: Exchange): Promise<Played> => {
    const reason = obstacle(exchange, learnt.knows, playing);
    if (reason !== undefined) return { status: "not repeated", reason };
    const answer = await requestUntilDone(exchange);
    if (!answer) return { status: "silent" };
    if (exchange.answer) learnt.learn(exchange.answer, answer);
    return {
      status: "answered",
      answer: exchange.method === "initialize" ? declareListChanged(answer) : answer,
    };
  };
  /** Lets everything arrive that had arrived by now. */
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
        params: learnt.apply({ ...params, ...(requestId !== undefined && { requestId }) }),
      });
      continue;
    }
    const { exchange } = step;
    const task = play(exchange).then((played) => {
      playing.played.set(exchange, played);
      return played;
    });
    running.set(exchange, task);
  }
  await catchUp();
  connection.close();
  for (const exchange of session.exchanges)
    if (!playing.played.has(exchange)) playing.played.set(exchange, { status: "unanswered" });
  return playing;
}

/** Why a request cannot be made again. */
function obstacle(
  { params, masked, maskedAnswers }: Exchange,
  knows: (mask: string) => boolean,
  { played }: Playing,
): string | undefined {
  const secret = masked.find((place) => isInParams(place) && !knows(String(valueAt(params, place))));
  if (secret !== undefined) return `${placeName(secret)} was a secret`;
  const [answered] = maskedAnswers;
  if (answered !== undefined) return `what was answered in \`${placeName(answered)}\` was a secret`;
  const [, begun] = begunBy(params, played) ?? [];
  if (!begun) return undefined;
  if (begun.status !== "answered") return "the call that it goes on with was not repeated";
  return begun.answer.result?.["requestState"] === undefined ? "nothing is asked any more" : undefined;
}

/** The call that this request goes on with, and what came of it: the request brings the answers that were asked for. */
function begunBy(
  { requestState }: Exchange["params"],
  played: Playing["played"],
): [Exchange, Played] | undefined {
  if (requestState === undefined) return undefined;
  return [...played].find(([{ answer }]) => answer?.result?.["requestState"] === requestState);
}

/** Answers are given under the keys of the questions, which may be others now: the order stays. */
function withNewKeys(params: Exchange["params"], { played }: Playing): Exchange["params"] {
  const { inputResponses } = params;
  const [exchange, begun] = begunBy(params, played) ?? [];
  if (!exchange || begun?.status !== "answered") return params;
  const old = Object.keys(Object(exchange.answer?.result?.["inputRequests"]) as object);
  const now = Object.keys(Object(begun.answer.result?.["inputRequests"]) as object);
  const renamed = Object.entries(Object(inputResponses) as object).map(([key, each]: [string, unknown]) => {
    return [now.includes(key) ? key : (now[old.indexOf(key)] ?? key), each] as const;
  });
  return { ...params, inputResponses: Object.fromEntries(renamed) };
}

function isInParams(place: string): boolean {
  return place.startsWith("/message/params/");
}

function valueAt(params: unknown, place: string): unknown {
  const parts = place.split("/").slice(3);
  return parts.reduce<unknown>((value, part) => {
    return (Object(value) as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }, params);
}

/** `/message/params/arguments/apiKey` → `arguments.apiKey` */
function placeName(place: string): string {
  return place.split("/").slice(3).join(".");
}

/** The recorded question that this one is, or is in the place of. */
function likest(question: Asked, recorded: readonly Question[]): Question | undefined {
  const alike = recorded.filter(({ method }) => method === question.method);
  return alike.find(({ params }) => isDeepStrictEqual(told(params), told(question.params))) ?? alike[0];
}

function told({ _meta, ...params }: Record<string, unknown>): object {
  return params;
}
