import { signal, type ReadonlySignal } from "@preact/signals";
import { RpcError, type TestClient } from "@tenon/runtime/testing";
import type { Call, LogLine, Outcome } from "./calls.js";
import type { Entry } from "./entries.js";
import { followTask } from "./follow-task.js";
import { CALL_KEY } from "../connection/relayed-server.js";
import type { GivenAnswer, Questions } from "./questions.js";
import { requestEntry } from "./request-entry.js";
import { errorMessage } from "./error-message.js";

/** The connection through which a call is made. */
export interface Caller {
  /** The ID of the connection. */
  number: number;
  client: Promise<TestClient>;
  /** The reason why the server no longer responds. Absent while it responds. */
  ended?: string;
}

/** The running and completed calls. */
export interface CallHistory {
  /** The calls, newest first. */
  readonly all: ReadonlySignal<readonly Call[]>;
  /** Makes a call. Resolves when the call has finished, even if it failed. */
  make(
    caller: Caller,
    entry: Entry,
    call: Pick<Call, "args" | "settings" | "build" | "wantsTask">,
  ): Promise<void>;
  cancel(call: Call): void;
  /**
   * Adds a log line to its call. Lines outside calls appear on the timeline only.
   *
   * @param number the call's number
   */
  addLog(number: number | undefined, line: LogLine): void;
  addAnswer(number: number | undefined, answer: GivenAnswer): void;
}

const MAX_CALLS = 200;
/** Maximum number of characters of all results and logs together. The latest call is kept regardless of its size. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Maximum number of log lines of a call. The timeline shows earlier ones. */
const MAX_LOGS = 200;

/** The capability that a client with task support declares in each request. */
const TASK_META = {
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
    roots: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

/**
 * Creates an empty history.
 *
 * @param now returns the time in milliseconds
 */
export function createCallHistory(questions: Questions, now: () => number): CallHistory {
  const all = signal<readonly Call[]>([]);
  const controllers = new Map<number, AbortController>();
  /** The sizes of completed calls, in characters. */
  const sizes = new Map<number, number>();
  let count = 0;

  const change = (number: number | undefined, next: (call: Call) => Partial<Call>): void => {
    all.value = all.value.map((each) => (each.number === number ? { ...each, ...next(each) } : each));
  };

  const end = (call: Call, done: NonNullable<Call["done"]>): void => {
    change(call.number, () => ({ done }));
    const { logs } = all.value.find(({ number }) => number === call.number) ?? call;
    sizes.set(call.number, JSON.stringify([done.outcome, logs]).length);
    let characters = 0;
    all.value = all.value.filter(({ number }, index) => {
      characters += sizes.get(number) ?? 0;
      return index === 0 || !sizes.has(number) || characters <= MAX_CHARACTERS;
    });
    for (const number of sizes.keys())
      if (all.value.every((each) => each.number !== number)) sizes.delete(number);
  };

  const run = async (caller: Caller, entry: Entry, call: Call, signal: AbortSignal): Promise<Outcome> => {
    try {
      const client = await caller.client;
      const outcome = await requestEntry(client, entry, call.args, {
        signal,
        onProgress: (progress) => change(call.number, () => ({ progress })),
        meta: { ...(call.wantsTask && TASK_META), [CALL_KEY]: call.number },
      });
      if (outcome.type !== "task") return outcome;
      const result = await followTask(outcome.created, {
        client,
        meta: TASK_META,
        signal,
        onChange: (task) => change(call.number, () => ({ task })),
        answer: (method, params) =>
          questions.answer({ connection: caller.number, call: call.number }, method, params),
        withdraw: questions.withdrawOne,
      });
      return { type: "tool", result };
    } catch (error) {
      if (error instanceof RpcError)
        return { type: "error", message: error.message, code: error.code, data: error.data };
      return { type: "error", message: caller.ended ?? errorMessage(error) };
    }
  };

  return {
    all,
    async make(caller, entry, given) {
      const { kind, key, name } = entry;
      const number = (count += 1);
      const call: Call = { number, entry: { kind, key, name }, ...given, logs: [], answers: [] };
      const controller = new AbortController();
      controllers.set(number, controller);
      all.value = [call, ...all.value].slice(0, MAX_CALLS);
      const started = now();
      const outcome = await run(caller, entry, call, controller.signal);
      controllers.delete(number);
      end(call, { outcome, ms: now() - started });
    },
    cancel: ({ number }) => controllers.get(number)?.abort(new Error("You cancelled the call.")),
    addLog: (number, line) => change(number, ({ logs }) => ({ logs: [...logs, line].slice(-MAX_LOGS) })),
    addAnswer: (number, answer) => change(number, ({ answers }) => ({ answers: [...answers, answer] })),
  };
}
