/**
 * Batches: arrays of messages, which clients of 2025-03-26 may send.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 * @module
 */
import type { Limits } from "../../api/limits.js";
import type { Message, Params } from "../../protocol/jsonrpc.js";
import { LATEST, type Revision } from "../../protocol/revisions.js";
import type { EncodedResponse, PendingResponse } from "../../transports/transport.js";
import { isModern } from "../../protocol/is-modern.js";

/** Returns the reason to reject a whole batch, if there is one. */
export function findBatchProblem(
  messages: readonly unknown[],
  revision: Revision | undefined,
  { maxBatchMessages }: Limits,
): string | undefined {
  if (revision?.acceptsBatches !== true)
    return "Batches are not part of this protocol version; send one message at a time.";
  if (messages.length === 0) return "A batch must contain at least one message.";
  return messages.length > maxBatchMessages
    ? `A batch may contain at most ${maxBatchMessages} messages.`
    : undefined;
}

/**
 * Returns the reason to reject a request in a batch, if there is one. Modern requests are rejected, since a subscription
 * would delay all other responses.
 *
 * @param ids the IDs of the requests before it, to which its own is added
 */
export function findMemberProblem({ id, method, params }: Message, ids: Set<unknown>): string | undefined {
  if (typeof method !== "string") return undefined;
  if (method === "initialize") return "`initialize` must not be part of a batch.";
  // The client could not tell the responses apart.
  if (ids.has(id)) return "An earlier request of the batch has this ID. Use another ID.";
  ids.add(id);
  if (!isModern(method, Object(params) as Params)) return undefined;
  return `Batches are not part of ${LATEST.id}; send one message at a time.`;
}

/** Joins the responses to a batch. Returns undefined if the batch contains only notifications and responses. */
export function joinResponses(pending: readonly PendingResponse[]): PendingResponse {
  return pending.every((each) => each === undefined) ? undefined : join(pending);
}

async function join(pending: readonly PendingResponse[]): Promise<EncodedResponse | undefined> {
  const responses = await Promise.all(pending);
  const texts = responses.flatMap((response) => response?.text ?? []);
  return texts.length === 0 ? undefined : { text: `[${texts.join()}]`, status: 200 };
}
