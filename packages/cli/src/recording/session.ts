import type { JsonRpcMessage, RecordedMessage } from "./format.js";

/** A step of a recorded session, in order. */
export type Step =
  | { kind: "request"; exchange: Exchange }
  /** The response to a request arrived. */
  | { kind: "answer"; exchange: Exchange }
  | { kind: "notification"; message: JsonRpcMessage; cancels?: Exchange | undefined };

/** The contents of a recorded session. */
export interface Session {
  steps: Step[];
  /** The client's requests, in order. */
  exchanges: Exchange[];
  /** The server's requests to the client. */
  questions: Question[];
}

/** A request of the client, and its outcome. */
export interface Exchange {
  method: string;
  params: Record<string, unknown>;
  /** The response. Absent if none was recorded. */
  answer?: Answer;
  /** JSON Pointers to the secrets in the request's line. */
  masked: string[];
  /** JSON Pointers to the secrets in the client's answers during this request. */
  maskedAnswers: string[];
  isCancelled: boolean;
}

/** The result or error of a response. */
export type Answer = Pick<JsonRpcMessage, "result" | "error">;

/** A request of the server to the client, and the client's answer. */
export interface Question {
  method: string;
  params: Record<string, unknown>;
  answer?: Answer;
  /** The client's requests that were in flight. The question belongs to one of them. */
  during: Exchange[];
}

/** Pairs requests with their responses. Of repeated responses, as after a reconnection, only the first counts. */
export function readSession(messages: readonly RecordedMessage[]): Session {
  const session: Session = { steps: [], exchanges: [], questions: [] };
  const openExchanges = new Map<string, Exchange>();
  const openQuestions = new Map<string, Question>();
  for (const { from, message, masked = [] } of messages) {
    const { id, method, params = {}, result, error } = message;
    const key = JSON.stringify(id ?? null);
    const answer: Answer = { ...(result && { result }), ...(error && { error }) };
    const isRequest = method !== undefined && id !== undefined;
    if (from === "client" && isRequest) {
      const exchange = { method, params, masked: [...masked], maskedAnswers: [], isCancelled: false };
      openExchanges.set(key, exchange);
      session.exchanges.push(exchange);
      session.steps.push({ kind: "request", exchange });
    } else if (from === "client" && method !== undefined) {
      const isCancelling = method === "notifications/cancelled";
      const cancels = isCancelling
        ? openExchanges.get(JSON.stringify(params["requestId"] ?? null))
        : undefined;
      if (cancels) cancels.isCancelled = true;
      session.steps.push({ kind: "notification", message, cancels });
    } else if (from === "client") {
      const question = openQuestions.get(key);
      openQuestions.delete(key);
      if (question) question.answer = answer;
      // Headers are not part of the answer.
      const secrets = masked.filter((pointer) => pointer.startsWith("/message/"));
      for (const exchange of openExchanges.values()) exchange.maskedAnswers.push(...secrets);
    } else if (isRequest) {
      const question = { method, params, during: [...openExchanges.values()] };
      openQuestions.set(key, question);
      session.questions.push(question);
    } else if (method === undefined) {
      const exchange = openExchanges.get(key);
      openExchanges.delete(key);
      if (!exchange) continue;
      exchange.answer = answer;
      session.steps.push({ kind: "answer", exchange });
    }
  }
  return session;
}
