import { signal, type ReadonlySignal } from "@preact/signals";
import type { CreateMessageParams, CreateMessageResult, Root } from "@tenon/runtime/manifest";
import type { Answers, Elicitation } from "@tenon/runtime/testing";

type ElicitAnswer = Awaited<ReturnType<NonNullable<Answers["elicit"]>>>;

/** What the server waits for a person to answer. */
export type Question = {
  number: number;
  connection: number;
  /** The call during which it is asked, where it is known. */
  call: number | undefined;
  withdraw(): void;
} & (
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
  /**
   * For the client of a connection: each question waits until it is answered on the page.
   *
   * @param callOf the call during which the question with these parameters is asked
   */
  answersFor(connection: number, callOf: (params: object) => number | undefined): Required<Answers>;
  /** Answers a question of a call that is a task in the same way. */
  answer(from: { connection: number; call: number }, method: string, params: unknown): Promise<unknown>;
  /** The server that has asked is gone. */
  withdraw(connection: number): void;
  /** The server does not wait for the answer any more. @param params of the question, the same object */
  withdrawOne(params: unknown): void;
}

type Asker = Pick<Question, "connection" | "call">;

const GONE = "The server has gone before its question was answered.";

/**
 * @param roots read when the server asks for them
 * @param onGiven sees each answer, and the call that it was given to
 */
export function createQuestions(
  roots: () => Root[],
  onGiven: (answer: GivenAnswer, call: number | undefined) => void,
): Questions {
  const open = signal<readonly Question[]>([]);
  let count = 0;

  const ask = (question: (number: number) => Question): void => {
    open.value = [...open.value, question((count += 1))];
  };
  const close = (number: number): void => {
    open.value = open.value.filter((each) => each.number !== number);
  };
  const withdraw = (isMeant: (question: Question) => boolean): void => {
    const gone = open.value.filter(isMeant);
    open.value = open.value.filter((each) => !isMeant(each));
    for (const each of gone) each.withdraw();
  };

  const elicit = ({ connection, call }: Asker, params: Elicitation): Promise<ElicitAnswer> =>
    new Promise((resolve, reject) => {
      ask((number) => ({
        number,
        connection,
        call,
        kind: "elicitation",
        params,
        answer(given) {
          close(number);
          onGiven({ kind: "elicitation", message: params.message, given }, call);
          resolve(given);
        },
        withdraw: () => reject(new Error(GONE)),
      }));
    });
  const sample = ({ connection, call }: Asker, params: CreateMessageParams): Promise<CreateMessageResult> =>
    new Promise((resolve, reject) => {
      ask((number) => ({
        number,
        connection,
        call,
        kind: "sampling",
        params,
        answer(given) {
          close(number);
          if (given instanceof Error) {
            reject(given);
            return;
          }
          onGiven({ kind: "sampling", message: "", given }, call);
          resolve(given);
        },
        withdraw: () => reject(new Error(GONE)),
      }));
    });

  return {
    open,
    answersFor: (connection, callOf) => ({
      elicit: (params) => elicit({ connection, call: callOf(params) }, params),
      sample: (params) => sample({ connection, call: callOf(params) }, params),
      get roots() {
        return roots();
      },
    }),
    async answer(from, method, params) {
      if (method === "elicitation/create") return elicit(from, params as Elicitation);
      if (method === "sampling/createMessage") return sample(from, params as CreateMessageParams);
      if (method === "roots/list") return { roots: roots() };
      throw new Error(`The page has no answer to ${method}.`);
    },
    withdraw: (connection) => withdraw((each) => each.connection === connection),
    withdrawOne: (params) => withdraw((each) => each.params === params),
  };
}
