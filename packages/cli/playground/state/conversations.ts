import { connect, type TestClient } from "@tenon/runtime/testing";
import type { Link } from "../connection/link.js";
import { relayedServer, type RelayedServer, type WireMessage } from "../connection/relayed-server.js";
import type { Caller } from "./call-history.js";
import { isModern, principalOf, type Settings } from "./notes.js";
import type { Questions } from "./questions.js";
import type { Timeline } from "./timeline.js";

/** What the page says to one version of the server, and hears of it. */
export interface Conversation extends Caller {
  build: number;
}

/** The conversation with the server, and those before it that have calls to finish. */
export interface Conversations {
  readonly current: Conversation | undefined;
  /** Begins another one, which is the current one from now on. */
  open(settings: Settings, build: number): Conversation;
  /** Takes a message of the server's. */
  receive(number: number, text: string, about: unknown): void;
  /**
   * The server behind a conversation is gone. Questions of modern servers outlive it: the next one is told the answers.
   */
  end(number: number): void;
  /** All servers are out of reach. */
  endAll(): void;
  /** Keeps a conversation until a call is over. */
  keep(conversation: Conversation, call: Promise<void>): void;
}

interface OpenConversation extends Conversation {
  isModern: boolean;
  relay: RelayedServer;
  /** Its server is gone, and there is no other one yet. */
  isWaiting: boolean;
  /** Calls that are going on. */
  busy: number;
}

const GONE = "The server has ended before it answered.";
const CLIENT_INFO = { name: "tenon-playground", version: "1.0.0" };

/** @param onNotification sees what servers tell of, by themselves or during a call */
export function createConversations(
  link: Link,
  questions: Questions,
  timeline: Timeline,
  onNotification: (
    conversation: Conversation,
    method: string,
    params: Record<string, unknown>,
    call: number | undefined,
  ) => void,
): Conversations {
  const all = new Map<number, OpenConversation>();
  let current: OpenConversation | undefined;
  let opened = 0;

  const isAsking = ({ number }: Conversation): boolean =>
    questions.open.value.some(({ connection }) => connection === number);

  const drop = (conversation: OpenConversation): void => {
    const { number, client } = conversation;
    if (conversation === current) current = undefined;
    conversation.ended = GONE;
    all.delete(number);
    questions.withdraw(number);
    timeline.forget(number);
    void client.then((each) => each.close()).catch(() => undefined);
  };

  const dropIfIdle = (conversation: OpenConversation): void => {
    if (conversation !== current && conversation.busy === 0) drop(conversation);
  };

  /** Lets whoever has been asked go on with the server of now. */
  const moveOn = (conversation: OpenConversation, build: number): void => {
    conversation.isWaiting = false;
    conversation.build = build;
    conversation.relay.moveOn();
  };

  return {
    get current() {
      return current;
    },
    open(settings, build) {
      const number = (opened += 1);
      /** The parameters of what the server has asked and waits for, by the id of its request. */
      const asked = new Map<unknown, unknown>();
      /** During which calls the server has asked: legacy requests by their ids. */
      const askedDuring = new Map<unknown, number | undefined>();
      const onSent = (message: WireMessage): void => {
        timeline.add("sent", message, number, own.build);
        if (message["method"] !== undefined) return;
        asked.delete(message["id"]);
        askedDuring.delete(message["id"]);
      };
      /** The same by the parameters, of questions in either way. */
      const callOfQuestion = new WeakMap<object, number>();
      const onReceived = (message: WireMessage, about: unknown): void => {
        timeline.add("received", message, number, own.build);
        const { id, method } = message;
        const params = (message["params"] ?? {}) as Record<string, unknown>;
        if (method === "notifications/cancelled") questions.withdrawOne(asked.get(params["requestId"]));
        else if (typeof method === "string" && id === undefined)
          onNotification(own, method, params, relay.callOf(about));
        else if (typeof method === "string") askedDuring.set(id, relay.callOf(about));
      };
      const relay = relayedServer(link, number, onSent, onReceived);
      const principal = principalOf(settings);
      const { revision } = settings;
      const connecting = (): Promise<TestClient> =>
        connect(relay.server, {
          revision,
          ...(principal !== undefined && { principal }),
          answers: questions.answersFor(number, (params) => callOfQuestion.get(params)),
          clientInfo: CLIENT_INFO,
          logLevel: "debug",
          onMessage: ({ id, method, params, result }) => {
            if (method !== undefined) asked.set(id, params);
            const call = method === undefined ? relay.callOf(id) : askedDuring.get(id);
            const questions = method === undefined ? questionsIn(result) : [params];
            for (const each of questions)
              if (call !== undefined && isObject(each)) callOfQuestion.set(each, call);
          },
        });
      const own: OpenConversation = {
        number,
        build,
        client: Promise.resolve().then(connecting),
        isModern: isModern(revision),
        relay,
        isWaiting: false,
        busy: 0,
      };
      all.set(number, own);
      const previous = current;
      current = own;
      if (previous) dropIfIdle(previous);
      for (const each of all.values()) if (each.isWaiting) moveOn(each, build);
      return own;
    },
    receive: (number, text, about) => all.get(number)?.relay.receive(text, about),
    end(number) {
      const gone = all.get(number);
      if (!gone) return;
      if (!gone.isModern || !isAsking(gone)) {
        drop(gone);
        return;
      }
      timeline.forget(number);
      gone.relay.leave(GONE);
      gone.isWaiting = true;
      if (gone === current) current = undefined;
      else if (current) moveOn(gone, current.build);
    },
    endAll() {
      for (const conversation of all.values()) drop(conversation);
    },
    keep({ number }, call) {
      const conversation = all.get(number);
      if (!conversation) return;
      conversation.busy += 1;
      void call.finally(() => {
        conversation.busy -= 1;
        if (all.has(number)) dropIfIdle(conversation);
      });
    },
  };
}

/** The parameters of what a server asks in place of a result. */
function questionsIn(result: unknown): unknown[] {
  const { inputRequests } = (isObject(result) ? result : {}) as { inputRequests?: unknown };
  const questions = isObject(inputRequests) ? Object.values(inputRequests) : [];
  return questions.map((each: unknown) => (each as { params?: unknown } | null)?.params);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
