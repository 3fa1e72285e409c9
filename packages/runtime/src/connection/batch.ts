/**
 * Several messages in one, as clients of 2025-03-26 may send them.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 * @module
 */
import type { Limits } from "../api/limits.js";
import type { Message, Params } from "../protocol/jsonrpc.js";
import { LATEST, type Revision } from "../protocol/revisions.js";
import type { Answer, Reply } from "../transports/transport.js";
import { isModern } from "./modern-request.js";

/** Why a batch is refused as a whole. */
export function batchProblem(
  messages: readonly unknown[],
  revision: Revision | undefined,
  { batchMessages }: Limits,
): string | undefined {
  if (revision?.batches !== true)
    return "Batches are not part of this protocol version; send one message at a time.";
  if (messages.length === 0) return "A batch must hold at least one message.";
  return messages.length > batchMessages ? `A batch may hold at most ${batchMessages} messages.` : undefined;
}

/** Why a request cannot be part of a batch. One that lasts, such as a subscription, would hold back all other answers. */
export function memberProblem({ method, params }: Message): string | undefined {
  if (method === "initialize") return "`initialize` must not be part of a batch.";
  if (typeof method !== "string" || !isModern(method, Object(params) as Params)) return undefined;
  return `Batches are not part of ${LATEST.id}; send one message at a time.`;
}

/** The answer to a batch. To notifications and responses alone there is nothing to say, and that is known at once. */
export function joinReplies(replies: readonly Reply[]): Reply {
  return replies.every((reply) => reply === undefined) ? undefined : join(replies);
}

async function join(replies: readonly Reply[]): Promise<Answer | undefined> {
  const answers = await Promise.all(replies);
  const texts = answers.flatMap((answer) => answer?.text ?? []);
  return texts.length === 0 ? undefined : { text: `[${texts.join()}]`, status: 200 };
}
