import type { ToolResult } from "@tenon/runtime/manifest";
import { RpcError, type TestClient } from "@tenon/runtime/testing";

/** The state of a call to which the server responded with a task. */
export interface TaskProgress {
  id: string;
  status: TaskStatus;
  /** The number of requests for the state of the task. */
  pollCount: number;
}

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task in a server's response. */
interface DetailedTask {
  taskId: string;
  status: TaskStatus;
  pollIntervalMs?: number;
  inputRequests?: Record<string, { method: string; params: unknown }>;
  result?: ToolResult;
  error?: { code: number; message: string; data?: unknown };
}

/** The client and callbacks with which to follow a task. */
export interface TaskFollower {
  client: TestClient;
  /** The metadata in each request of a client with task support. */
  meta: Record<string, unknown>;
  /** Aborted when the developer cancels the call. */
  signal: AbortSignal;
  onChange(task: TaskProgress): void;
  /** Prompts the developer. Rejects if there is no answer. */
  answer(method: string, params: unknown): Promise<unknown>;
  /** Withdraws a question whose answer is no longer needed. */
  withdraw(params: unknown): void;
}

const POLL_INTERVAL_MS = 1000;

/**
 * Polls a task until it ends, and returns its result.
 *
 * @param created the response to the call
 * @throws RpcError if the task failed; Error if it was cancelled
 */
export async function followTask(created: object, follower: TaskFollower): Promise<ToolResult> {
  const { client, meta, signal, onChange } = follower;
  let task = created as DetailedTask;
  const { taskId } = task;
  const request = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    client.request(method, { taskId, ...params, _meta: meta });
  const questions = new Map<string, unknown>();
  let wake = (): void => {};
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };
  const cancel = (): void => void request("tasks/cancel").then(() => wake(), fail);

  const ask = async (key: string, method: string, params: unknown): Promise<void> => {
    questions.set(key, params);
    let answer: unknown;
    try {
      answer = await follower.answer(method, params);
    } catch {
      // Without the answer, the task would wait until it expires.
      cancel();
      return;
    }
    await request("tasks/update", { inputResponses: { [key]: answer } });
    wake();
  };

  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (let pollCount = 0; ; pollCount += 1) {
      const { status, inputRequests = {}, pollIntervalMs = POLL_INTERVAL_MS } = task;
      onChange({ id: taskId, status, pollCount });
      if (status === "completed") return task.result as ToolResult;
      if (status === "failed") throw toError(task.error);
      if (status === "cancelled") throw new Error("The task was cancelled.");
      for (const [key, { method, params }] of Object.entries(inputRequests))
        if (!questions.has(key)) ask(key, method, params).catch(fail);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pollIntervalMs);
      });
      if (failure !== undefined) throw failure;
      task = (await request("tasks/get")) as unknown as DetailedTask;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    for (const params of questions.values()) follower.withdraw(params);
  }
}

function toError(error: DetailedTask["error"]): Error {
  return error ? new RpcError(error.code, error.message, error.data) : new Error("The task failed.");
}
