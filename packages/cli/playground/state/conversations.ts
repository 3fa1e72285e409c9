import { getClientCapabilities, connect, type TestClient } from "@tenon/runtime/testing";
import type { Link } from "../connection/link.js";
import { createRelayedServer, type RelayedServer, type WireMessage } from "../connection/relayed-server.js";
import type { Caller } from "./call-history.js";
import { isModern, toPrincipal, type Settings } from "./notes.js";
import type { Questions } from "./questions.js";
import type { Timeline } from "./timeline.js";

/** The messages between the page and one version of the server. */
export interface Conversation extends Caller {
  build: number;
}

/** The current conversation with the server, and earlier ones with running calls. */
export interface Conversations {
  readonly current: Conversation | undefined;
  /** Starts a conversation, which becomes the current one. */
  open(settings: Settings, build: number): Conversation;
  /** Handles a message from the server. */
  receive(number: number, text: string, about: unknown): void;
  /**
   * Ends a conversation whose server exited. Questions of modern servers stay open: the next server receives the answers.
   */
  end(number: number): void;
  /** Ends all conversations when no server is reachable. */
  endAll(): void;
  /** Keeps a conversation open until a call has finished. */
  keep(conversation: Conversation, call: Promise<void>): void;
}

interface OpenConversation extends Conversation {
  isModern: boolean;
  relay: RelayedServer;
  /** Whether its server has exited and there is no other server yet. */
  isWaiting: boolean;
  /** The number of running calls. */
  busy: number;
}

const SERVER_EXITED = "The server exited before it responded.";
/** The extension with which a client announces that it shows views. */
const SHOWS_VIEWS = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const CLIENT_INFO = { name: "tenon-playground", version: "1.0.0" };

/**
 * Creates the conversations.
 *
 * @param onNotification receives the servers' notifications, and their call, if any
 */
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
    conversation.ended = SERVER_EXITED;
    all.delete(number);
    questions.withdraw(number);
    timeline.forget(number);
    void client.then((each) => each.close()).catch(() => undefined);
  };

  const dropIfIdle = (conversation: OpenConversation): void => {
    if (conversation !== current && conversation.busy === 0) drop(conversation);
  };

  /**
   * Returns whether a conversation can continue with a new server although its own server has not exited yet. That server
   * may exit at any time, and answers that it receives could be lost.
   */
  const canMove = (conversation: OpenConversation, build: number): boolean =>
    conversation.isModern &&
    conversation.build !== build &&
    isAsking(conversation) &&
    !conversation.relay.hasPending;

  /** Continues a conversation with the current server, which receives the answers to open questions. */
  const resume = (conversation: OpenConversation, build: number): void => {
    conversation.isWaiting = false;
    conversation.build = build;
    conversation.relay.resume();
  };

  return {
    get current() {
      return current;
    },
    open(settings, build) {
      const number = (opened += 1);
      /** The parameters of the server's pending requests, by their IDs. */
      const requests = new Map<unknown, unknown>();
      /** The calls that the server's legacy requests belong to, by the IDs of the requests. */
      const callsByRequest = new Map<unknown, number | undefined>();
      const onSent = (message: WireMessage): void => {
        timeline.add("sent", message, number, own.build);
        if (message["method"] !== undefined) return;
        requests.delete(message["id"]);
        callsByRequest.delete(message["id"]);
      };
      /** The calls that questions of all revisions belong to, by the parameters. */
      const callsByQuestion = new WeakMap<object, number>();
      const onReceived = (message: WireMessage, about: unknown): void => {
        timeline.add("received", message, number, own.build);
        const { id, method } = message;
        const params = (message["params"] ?? {}) as Record<string, unknown>;
        if (method === "notifications/cancelled") questions.withdrawOne(requests.get(params["requestId"]));
        else if (typeof method === "string" && id === undefined)
          onNotification(own, method, params, relay.findCall(about));
        else if (typeof method === "string") callsByRequest.set(id, relay.findCall(about));
      };
      const relay = createRelayedServer(link, number, onSent, onReceived);
      const principal = toPrincipal(settings);
      const { revision } = settings;
      const answers = questions.createAnswers(number, (params) => callsByQuestion.get(params));
      const connecting = (): Promise<TestClient> =>
        connect(relay.server, {
          revision,
          ...(principal !== undefined && { principal }),
          answers,
          capabilities: { ...getClientCapabilities(answers), extensions: SHOWS_VIEWS },
          clientInfo: CLIENT_INFO,
          logLevel: "debug",
          onMessage: ({ id, method, params, result }) => {
            if (method !== undefined) requests.set(id, params);
            const call = method === undefined ? relay.findCall(id) : callsByRequest.get(id);
            const questions = method === undefined ? listQuestions(result) : [params];
            for (const each of questions)
              if (call !== undefined && isObject(each)) callsByQuestion.set(each, call);
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
      for (const each of all.values()) if (each.isWaiting || canMove(each, build)) resume(each, build);
      return own;
    },
    receive: (number, text, about) => all.get(number)?.relay.receive(text, about),
    end(number) {
      const ended = all.get(number);
      if (!ended) return;
      if (!ended.isModern || !isAsking(ended)) {
        drop(ended);
        return;
      }
      timeline.forget(number);
      ended.relay.failPending(SERVER_EXITED);
      ended.isWaiting = true;
      if (ended === current) current = undefined;
      else if (current) resume(ended, current.build);
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

/** Returns the parameters of the questions that a server returns instead of a result. */
function listQuestions(result: unknown): unknown[] {
  const { inputRequests } = (isObject(result) ? result : {}) as { inputRequests?: unknown };
  const questions = isObject(inputRequests) ? Object.values(inputRequests) : [];
  return questions.map((each: unknown) => (each as { params?: unknown } | null)?.params);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
