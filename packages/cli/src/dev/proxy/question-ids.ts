import { Transform } from "node:stream";
import type { Backend } from "./proxy-sessions.js";

/**
 * Servers count the questions of a session, each from one. A client that talks to several of them, one after the other, gets ids
 * that also say who has asked, and its answers find their way.
 */
export interface QuestionIds {
  /** Passes on the events of a server, with such ids. */
  marked(backend: Backend): Transform;
  /** Who has asked what this answers, and the answer with the id that the server knows; undefined for any other message. */
  answered(message: object): { backend: Backend; message: object } | undefined;
}

const MARKED = /^dev-(\d+):(.*)$/s;

export function createQuestionIds(): QuestionIds {
  const numbers = new Map<Backend, number>();
  const numberOf = (backend: Backend): number => {
    const number = numbers.get(backend) ?? numbers.size + 1;
    numbers.set(backend, number);
    return number;
  };
  const markedId = (backend: Backend, id: unknown): string =>
    `dev-${numberOf(backend)}:${JSON.stringify(id)}`;

  const markedMessage = (backend: Backend, message: Question): object => {
    if (message.method === "notifications/cancelled" && message.params?.requestId !== undefined) {
      const requestId = markedId(backend, message.params.requestId);
      return { ...message, params: { ...message.params, requestId } };
    }
    if (message.id === undefined || message.method === undefined) return message;
    return { ...message, id: markedId(backend, message.id) };
  };
  return {
    marked(backend) {
      const decoder = new TextDecoder();
      let rest = "";
      const line = (text: string): string => {
        // Answers are the most, and are not to be looked into.
        if (!text.startsWith("data:") || !text.includes(`"method"`)) return text;
        try {
          return `data: ${JSON.stringify(markedMessage(backend, JSON.parse(text.slice(5)) as Question))}`;
        } catch {
          return text;
        }
      };
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = lines.pop() ?? "";
          done(null, lines.map((each) => `${line(each)}\n`).join(""));
        },
        flush(done) {
          done(null, rest);
        },
      });
    },
    answered(message) {
      const { id, method } = message as Question;
      const [, number, own = ""] = (typeof id === "string" && MARKED.exec(id)) || [];
      const backend = [...numbers].find((each) => String(each[1]) === number)?.[0];
      if (method !== undefined || !backend) return undefined;
      return { backend, message: { ...message, id: JSON.parse(own) as unknown } };
    },
  };
}

interface Question {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}
