import type { JsonRpcMessage, RecordedMessage } from "./format.js";

/** What happened in a recorded session, in its order. */
export type Step =
  | { kind: "request"; exchange: Exchange }
  /** The answer to a request was there. */
  | { kind: "answer"; exchange: Exchange }
  | { kind: "notification"; message: JsonRpcMessage; cancels?: Exchange | undefined };

export interface Session {
  steps: Step[];
  /** The requests of the client, in their order. */
  exchanges: Exchange[];
  /** What the server asked its client. */
  questions: Question[];
}

/** A request of the client's, and what came of it. */
export interface Exchange {
  method: string;
  params: Record<string, unknown>;
  /** Absent where none was recorded. */
  answer?: Answer;
  /** Places within the request that held a secret, as JSON Pointers. */
  masked: string[];
  /** The same of the answers that its user gave while it was at work. */
  maskedAnswers: string[];
  isCancelled: boolean;
}

export type Answer = Pick<JsonRpcMessage, "result" | "error">;

/** A request of the server's own, and what the client answered. */
export interface Question {
  method: string;
  params: Record<string, unknown>;
  answer?: Answer;
  /** The requests that were at work when it was asked: it belongs to one of them. */
  during: Exchange[];
}

/** Brings together what belongs together. An answer that came twice, as when a client has come back for it, counts once. */
export function readSession(messages: readonly RecordedMessage[]): Session {
  const session: Session = { steps: [], exchanges: [], questions: [] };
  const open = new Map<string, Exchange>();
  const asked = new Map<string, Question>();
  for (const { from, message, masked = [] } of messages) {
    const { id, method, params = {}, result, error } = message;
    const key = JSON.stringify(id ?? null);
    const answer: Answer = { ...(result && { result }), ...(error && { error }) };
    const isRequest = method !== undefined && id !== undefined;
    if (from === "client" && isRequest) {
      const exchange = { method, params, masked: [...masked], maskedAnswers: [], isCancelled: false };
      open.set(key, exchange);
      session.exchanges.push(exchange);
      session.steps.push({ kind: "request", exchange });
    } else if (from === "client" && method !== undefined) {
      const isCancelling = method === "notifications/cancelled";
      const cancels = isCancelling ? open.get(JSON.stringify(params["requestId"] ?? null)) : undefined;
      if (cancels) cancels.isCancelled = true;
      session.steps.push({ kind: "notification", message, cancels });
    } else if (from === "client") {
      const question = asked.get(key);
      asked.delete(key);
      if (question) question.answer = answer;
      for (const exchange of open.values()) exchange.maskedAnswers.push(...masked);
    } else if (isRequest) {
      const question = { method, params, during: [...open.values()] };
      asked.set(key, question);
      session.questions.push(question);
    } else if (method === undefined) {
      const exchange = open.get(key);
      open.delete(key);
      if (!exchange) continue;
      exchange.answer = answer;
      session.steps.push({ kind: "answer", exchange });
    }
  }
  return session;
}
