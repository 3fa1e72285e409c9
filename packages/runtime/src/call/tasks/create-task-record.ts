import { createRandomBytes } from "../../access/encryption/node-crypto.js";
import { getBinding } from "../../access/principal.js";
import type { Call } from "../connection/call.js";
import { toStoredEffects, type Transcript } from "../questions/transcript.js";
import type { TaskSource } from "./server-tasks.js";
import type { TaskRecord } from "./task-record.js";

/**
 * Returns the first record of a call that becomes a task.
 *
 * @param transcript the effects of the call so far, and its questions with their answers
 * @param worker the ID of the process that works on the task; undefined if the task waits for one
 */
export function createTaskRecord(
  { limits, getScopes, authorizesArguments }: TaskSource,
  { params, peer }: Call,
  { callId = globalThis.crypto.randomUUID(), asked, effects }: Transcript,
  worker: string | undefined,
): TaskRecord {
  const now = new Date().toISOString();
  const scopes = getScopes(params.name);
  return {
    id: createRandomBytes(24).toString("base64url"),
    owner: getBinding(peer.principal),
    tool: String(params.name),
    ...(scopes !== undefined && { scopes }),
    ...(authorizesArguments(params.name) && { arguments: params.arguments ?? {} }),
    status: "working",
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: limits.taskLifetimeMs,
    version: 1,
    worker: worker ?? "",
    run: worker === undefined ? 0 : 1,
    crashes: 0,
    callId,
    effects: toStoredEffects(effects),
    asked: [...asked].map(([key, { answer: result, ...each }]) => [key, { ...each, reply: { result } }]),
    outcome: {},
  };
}
