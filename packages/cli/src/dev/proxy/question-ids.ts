import { Transform } from "node:stream";
import type { Backend } from "./proxy-sessions.js";

/**
 * IDs of server requests that identify the server. Each server counts from one, so after a reload, the same ID could belong
 * to requests of several servers.
 */
export interface QuestionIds {
  /** Returns a stream that replaces the IDs in the events of a server. */
  markEvents(backend: Backend): Transform;
  /** Returns the server whose request a message answers, and the answer with the server's own ID. Returns undefined for other messages. */
  findAnsweredQuestion(message: object): { backend: Backend; message: object } | undefined;
}

const MARKED = /^dev-(\d+):(.*)$/s;

/** Creates the mapping between the request IDs of servers and the IDs that the client sees. */
export function createQuestionIds(): QuestionIds {
  const numbers = new Map<Backend, number>();
  const getNumber = (backend: Backend): number => {
    const number = numbers.get(backend) ?? numbers.size + 1;
    numbers.set(backend, number);
    return number;
  };
  const toMarkedId = (backend: Backend, id: unknown): string =>
    `dev-${getNumber(backend)}:${JSON.stringify(id)}`;

  const markMessage = (backend: Backend, message: Question): object => {
    if (message.method === "notifications/cancelled" && message.params?.requestId !== undefined) {
      const requestId = toMarkedId(backend, message.params.requestId);
      return { ...message, params: { ...message.params, requestId } };
    }
    if (message.id === undefined || message.method === undefined) return message;
    return { ...message, id: toMarkedId(backend, message.id) };
  };
  return {
    markEvents(backend) {
      const decoder = new TextDecoder();
      let rest = "";
      const markLine = (text: string): string => {
        // Most events are responses, which are not parsed.
        if (!text.startsWith("data:") || !text.includes(`"method"`)) return text;
        try {
          return `data: ${JSON.stringify(markMessage(backend, JSON.parse(text.slice(5)) as Question))}`;
        } catch {
          return text;
        }
      };
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = lines.pop() ?? "";
          done(null, lines.map((each) => `${markLine(each)}\n`).join(""));
        },
        flush(done) {
          done(null, rest);
        },
      });
    },
    findAnsweredQuestion(message) {
      const { id, method } = message as Question;
      const [, number, ownId = ""] = (typeof id === "string" && MARKED.exec(id)) || [];
      const backend = [...numbers].find((each) => String(each[1]) === number)?.[0];
      if (method !== undefined || !backend) return undefined;
      return { backend, message: { ...message, id: JSON.parse(ownId) as unknown } };
    },
  };
}

interface Question {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}
