import type { ToolResult } from "@tenon/runtime/manifest";
import { RpcError, type TestClient } from "@tenon/runtime/testing";

/** What is known of a call that the server has answered with a task. */
export interface TaskProgress {
  id: string;
  status: TaskStatus;
  /** How often the page has asked for it. */
  asked: number;
}

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as servers tell of it. */
interface DetailedTask {
  taskId: string;
  status: TaskStatus;
  pollIntervalMs?: number;
  inputRequests?: Record<string, { method: string; params: unknown }>;
  result?: ToolResult;
  error?: { code: number; message: string; data?: unknown };
}

/** How a task is followed. */
export interface TaskFollower {
  client: TestClient;
  /** What a client with tasks puts into each request. */
  meta: Record<string, unknown>;
  /** Aborted when the person cancels. */
  signal: AbortSignal;
  onChange(task: TaskProgress): void;
  /** Asks the person; rejects when there is no answer to be had. */
  answer(method: string, params: unknown): Promise<unknown>;
  /** Nobody waits for the answer to this question any more. */
  withdraw(params: unknown): void;
}

const POLL_INTERVAL_MS = 1000;

/**
 * Asks for a task until it is over.
 *
 * @param created what the call was answered with
 * @throws RpcError for a task that has failed; Error for one that was cancelled
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
      // Without its answer it would wait for as long as it is kept.
      cancel();
      return;
    }
    await request("tasks/update", { inputResponses: { [key]: answer } });
    wake();
  };

  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (let asked = 0; ; asked += 1) {
      const { status, inputRequests = {}, pollIntervalMs = POLL_INTERVAL_MS } = task;
      onChange({ id: taskId, status, asked });
      if (status === "completed") return task.result as ToolResult;
      if (status === "failed") throw rpcError(task.error);
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

function rpcError(error: DetailedTask["error"]): Error {
  return error ? new RpcError(error.code, error.message, error.data) : new Error("The task has failed.");
}
