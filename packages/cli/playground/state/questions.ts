import { signal, type ReadonlySignal } from "@preact/signals";
import type { CreateMessageParams, CreateMessageResult, Root } from "@tenon/runtime/manifest";
import type { Answers, Elicitation } from "@tenon/runtime/testing";

type ElicitAnswer = Awaited<ReturnType<NonNullable<Answers["elicit"]>>>;

/** What the server waits for a person to answer. */
export type Question = { number: number } & (
  | { kind: "elicitation"; params: Elicitation; answer(given: ElicitAnswer): void }
  | { kind: "sampling"; params: CreateMessageParams; answer(given: CreateMessageResult | Error): void }
);

/** An answer that a person gave. */
export type GivenAnswer =
  | { kind: "elicitation"; message: string; given: ElicitAnswer }
  | { kind: "sampling"; message: string; given: CreateMessageResult };

export interface Questions {
  /** The oldest first. */
  readonly open: ReadonlySignal<readonly Question[]>;
  /** For the client: each question waits until it is answered on the page. */
  readonly answers: Answers;
}

/**
 * @param roots read when the server asks for them
 * @param onGiven sees each answer
 */
export function createQuestions(roots: () => Root[], onGiven: (answer: GivenAnswer) => void): Questions {
  const open = signal<readonly Question[]>([]);
  let count = 0;
  const close = (number: number): void => {
    open.value = open.value.filter((each) => each.number !== number);
  };
  return {
    open,
    answers: {
      elicit: (params) =>
        new Promise((resolve) => {
          const number = (count += 1);
          const answer = (given: ElicitAnswer): void => {
            close(number);
            onGiven({ kind: "elicitation", message: params.message, given });
            resolve(given);
          };
          open.value = [...open.value, { number, kind: "elicitation", params, answer }];
        }),
      sample: (params) =>
        new Promise((resolve, reject) => {
          const number = (count += 1);
          const answer = (given: CreateMessageResult | Error): void => {
            close(number);
            if (given instanceof Error) {
              reject(given);
              return;
            }
            onGiven({ kind: "sampling", message: "", given });
            resolve(given);
          };
          open.value = [...open.value, { number, kind: "sampling", params, answer }];
        }),
      get roots() {
        return roots();
      },
    },
  };
}
