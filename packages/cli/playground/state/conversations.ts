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
  receive(number: number, text: string): void;
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

/** @param onNotification sees what servers tell of by themselves */
export function createConversations(
  link: Link,
  questions: Questions,
  timeline: Timeline,
  onNotification: (conversation: Conversation, method: string, params: Record<string, unknown>) => void,
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
      const onSent = (message: WireMessage): void => {
        timeline.add("sent", message, number, own.build);
        if (message["method"] === undefined) asked.delete(message["id"]);
      };
      const onReceived = (message: WireMessage): void => {
        timeline.add("received", message, number, own.build);
        const { id, method } = message;
        const params = (message["params"] ?? {}) as Record<string, unknown>;
        if (method === "notifications/cancelled") questions.withdrawOne(asked.get(params["requestId"]));
        else if (typeof method === "string" && id === undefined) onNotification(own, method, params);
      };
      const relay = relayedServer(link, number, onSent, onReceived);
      const principal = principalOf(settings);
      const { revision } = settings;
      const connecting = (): Promise<TestClient> =>
        connect(relay.server, {
          revision,
          ...(principal !== undefined && { principal }),
          answers: questions.answersFor(number),
          clientInfo: CLIENT_INFO,
          logLevel: "debug",
          onMessage: ({ id, method, params }) => void (method !== undefined && asked.set(id, params)),
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
    receive: (number, text) => all.get(number)?.relay.receive(text),
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
