import { setTimeout as sleep } from "node:timers/promises";
import type { ToolResult } from "@tenon/runtime/manifest";
import { answerRequest, RpcError, type Answers, type TestClient } from "@tenon/runtime/testing";

/** The time between two requests for a task, in milliseconds. */
const POLL_INTERVAL_MS = 10;

/** The members of a `DetailedTask` of the specification that are read here. */
interface TaskDetails {
  status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  result?: ToolResult;
  error?: { code: number; message: string; data?: unknown };
  inputRequests?: Record<string, { method: string; params: unknown }>;
}

/**
 * Returns the result of a tool, after the end of its task if the call became one.
 *
 * @param answers answers to the questions of the task
 * @param signal cancels the task
 * @throws RpcError if the task fails
 */
export async function followTask(
  client: TestClient,
  received: ToolResult,
  answers: Answers,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const { resultType, taskId } = received as { resultType?: unknown; taskId?: unknown };
  if (resultType !== "task") return received;
  const answered = new Set<string>();
  for (;;) {
    if (signal?.aborted === true) {
      await client.request("tasks/cancel", { taskId });
      throw signal.reason as Error;
    }
    const { status, result, error, inputRequests = {} } = await getTask(client, taskId);
    if (result !== undefined) return result;
    if (error !== undefined) throw new RpcError(error.code, error.message, error.data);
    if (status === "cancelled") throw new Error("The task was cancelled.");
    const open = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params }] of open) {
      answered.add(key);
      inputResponses[key] = await answerRequest(answers, method, params);
    }
    if (open.length > 0) await client.request("tasks/update", { taskId, inputResponses });
    else await sleep(POLL_INTERVAL_MS);
  }
}

async function getTask(client: TestClient, taskId: unknown): Promise<TaskDetails> {
  return (await client.request("tasks/get", { taskId })) as unknown as TaskDetails;
}
