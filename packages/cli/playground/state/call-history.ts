import { signal, type ReadonlySignal } from "@preact/signals";
import { RpcError, type TestClient } from "@tenon/runtime/testing";
import type { Call, LogLine, Outcome } from "./calls.js";
import type { Entry } from "./entries.js";
import { followTask } from "./follow-task.js";
import { CALL_KEY } from "../connection/relayed-server.js";
import type { GivenAnswer, Questions } from "./questions.js";
import { requestEntry } from "./request-entry.js";

/** By whom a call is made. */
export interface Caller {
  /** Of the connection. */
  number: number;
  client: Promise<TestClient>;
  /** Why the server answers no more, once it does not. */
  ended?: string;
}

/** The calls that were made, and those that are going on. */
export interface CallHistory {
  /** The newest first. */
  readonly all: ReadonlySignal<readonly Call[]>;
  /** Resolves when it is over, whatever came of it. */
  make(
    caller: Caller,
    entry: Entry,
    call: Pick<Call, "args" | "settings" | "build" | "wantsTask">,
  ): Promise<void>;
  cancel(call: Call): void;
  /** What is said during no call is among the messages alone. @param number of the call */
  addLog(number: number | undefined, line: LogLine): void;
  addAnswer(number: number | undefined, answer: GivenAnswer): void;
}

const MOST_CALLS = 200;
/** Of all answers and logs together. The latest call is kept however long it is. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Later ones are among the messages as well. */
const MOST_LOGS = 200;

/** What a client that knows tasks declares in each of its requests. */
const TASK_META = {
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {} },
    roots: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

/** @param now the time in milliseconds */
export function createCallHistory(questions: Questions, now: () => number): CallHistory {
  const all = signal<readonly Call[]>([]);
  const controllers = new Map<number, AbortController>();
  /** In characters, of those that are over. */
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
      return index === 0 || !sizes.has(number) || characters <= MOST_CHARACTERS;
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
      return { type: "error", message: caller.ended ?? wordsOf(error) };
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
      all.value = [call, ...all.value].slice(0, MOST_CALLS);
      const started = now();
      const outcome = await run(caller, entry, call, controller.signal);
      controllers.delete(number);
      end(call, { outcome, ms: now() - started });
    },
    cancel: ({ number }) => controllers.get(number)?.abort(new Error("You have cancelled the call.")),
    addLog: (number, line) => change(number, ({ logs }) => ({ logs: [...logs, line].slice(-MOST_LOGS) })),
    addAnswer: (number, answer) => change(number, ({ answers }) => ({ answers: [...answers, answer] })),
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
