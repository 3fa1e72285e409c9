import type { Readable, Writable } from "node:stream";
import type { DevProxy } from "./dev-proxy.js";
import { getAllListNotifications, declareListChanged, getListNotifications } from "./list-changed.js";
import { readLines } from "./read-lines.js";
import type { TrafficObserver } from "./traffic.js";

/** The pipes of a server process. */
export interface PipedServer {
  input: Writable;
  output: Readable;
}

/** A proxy that keeps one client's stdin and stdout while servers are replaced. */
export interface StdioProxy extends DevProxy<PipedServer> {
  /** Resolves when the client has closed its input and every server its output. */
  readonly finished: Promise<void>;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { requestId?: string | number };
  [member: string]: unknown;
}

/** One server, from its start to the end of its output. */
interface ProxiedServer {
  number: number;
  server: PipedServer;
  /** Unanswered requests, by the key of their ID. */
  unanswered: Map<string, Message["id"]>;
  /** Lines to send after the repeated handshake. */
  queued: string[] | undefined;
  isRetired: boolean;
  /** Called when it has no unanswered requests. */
  onSettled: (() => void)[];
  /** Whether it only returns the errors of the project. */
  isErrorServer: boolean;
}

/**
 * Forwards lines between a client and the current server. Repeats the legacy handshake for every new server, and sends
 * answers to the server that requested them. If a server crashes, its unanswered requests fail with an error. Lines
 * that arrive before the first server or the first error are queued.
 *
 * @param createErrorServer creates a server that returns the errors of the project
 * @param traffic receives all messages
 */
export function createStdioProxy(
  input: Readable,
  output: Writable,
  createErrorServer: (problem: string) => Promise<PipedServer>,
  traffic?: TrafficObserver,
): StdioProxy {
  let current: ProxiedServer | undefined;
  let hasEnded = false;
  let count = 0;
  const waiting: string[] = [];
  const handshake: { initialize?: string; key?: string; initialized?: string } = {};
  const running = new Set<ProxiedServer>();
  const serverRequests = new Map<string, { proxied: ProxiedServer; id: Message["id"] }>();
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const observe = (from: "client" | "server", line: string): void => {
    if (!traffic) return;
    const at = performance.now();
    for (const message of parseMessages(line)) traffic({ from, session: "stdio", message, at });
  };
  const writeToClient = (line: string): void => {
    observe("server", line);
    output.write(`${line}\n`);
  };
  const sendToClient = (message: Message): void => writeToClient(JSON.stringify(message));

  const send = (proxied: ProxiedServer, line: string): void => {
    if (proxied.queued) proxied.queued.push(line);
    else proxied.server.input.write(`${line}\n`);
  };

  const closeIfDone = (proxied: ProxiedServer): void => {
    if (proxied.unanswered.size === 0) for (const settle of proxied.onSettled.splice(0)) settle();
    if ((proxied.isRetired && proxied.unanswered.size === 0) || (hasEnded && !proxied.queued))
      proxied.server.input.end();
  };

  /** Sends a cancellation or answer to the server of its call or request for input. Returns false for any other line. */
  const sendToOwner = (only: Message, line: string): boolean => {
    if (only.method === undefined && only.id !== undefined) {
      const question = serverRequests.get(getKey(only.id));
      serverRequests.delete(getKey(only.id));
      if (question) send(question.proxied, JSON.stringify({ ...only, id: question.id }));
      return question !== undefined;
    }
    const cancelled = only.method === "notifications/cancelled" ? getKey(only.params?.requestId) : undefined;
    const owner =
      cancelled === undefined ? undefined : [...running].find(({ unanswered }) => unanswered.has(cancelled));
    if (cancelled === undefined || owner === undefined) return false;
    owner.unanswered.delete(cancelled);
    send(owner, line);
    closeIfDone(owner);
    return true;
  };

  const handleClientLine = (line: string): void => {
    const messages = parseMessages(line);
    const [only] = messages;
    if (messages.length === 1 && only && sendToOwner(only, line)) return;
    if (!current) {
      waiting.push(line);
      return;
    }
    if (messages.length !== 1 || !only) {
      for (const message of messages) trackRequest(current, message);
      send(current, line);
      return;
    }
    if (only.method === "initialize") {
      handshake.initialize = line;
      handshake.key = getKey(only.id);
    }
    if (only.method === "notifications/initialized") handshake.initialized = line;
    trackRequest(current, only);
    send(current, line);
  };

  const handleServerLine = (proxied: ProxiedServer, line: string): void => {
    const messages = parseMessages(line);
    const [only] = messages;
    const isAnswer = only !== undefined && only.method === undefined;
    if (messages.length === 1 && isAnswer && proxied.queued && getKey(only.id) === handshake.key) {
      const queued = proxied.queued;
      proxied.queued = undefined;
      if (handshake.initialized) send(proxied, handshake.initialized);
      for (const each of queued) send(proxied, each);
      closeIfDone(proxied);
      return;
    }
    for (const message of messages)
      if (message.method === undefined) proxied.unanswered.delete(getKey(message.id));
    if (messages.length === 1 && only?.method !== undefined && only.id !== undefined) {
      const id = `${proxied.number}:${JSON.stringify(only.id)}`;
      serverRequests.set(getKey(id), { proxied, id: only.id });
      sendToClient({ ...only, id });
    } else if (isAnswer && getKey(only.id) === handshake.key) {
      sendToClient(declareListChanged(only));
    } else {
      writeToClient(line);
    }
    closeIfDone(proxied);
  };

  const onClosed = (proxied: ProxiedServer): void => {
    running.delete(proxied);
    for (const settle of proxied.onSettled.splice(0)) settle();
    if (current === proxied) current = undefined;
    for (const id of proxied.unanswered.values()) {
      const error = { code: -32_603, message: "The server stopped before it responded." };
      sendToClient({ jsonrpc: "2.0", id: id ?? null, error });
    }
    if (hasEnded && running.size === 0) finish();
  };

  const receiveLine = (line: string): void => {
    observe("client", line);
    handleClientLine(line);
  };
  readLines(input, receiveLine, () => {
    hasEnded = true;
    for (const proxied of running) closeIfDone(proxied);
    if (running.size === 0) finish();
  });

  const swapTo = (server: PipedServer, isErrorServer: boolean, changed: readonly string[]): void => {
    const previous = current;
    count += 1;
    const next: ProxiedServer = {
      number: count,
      server,
      unanswered: new Map(),
      queued: undefined,
      isRetired: false,
      onSettled: [],
      isErrorServer,
    };
    current = next;
    running.add(next);
    server.input.on("error", () => undefined);
    readLines(
      server.output,
      (line) => handleServerLine(next, line),
      () => onClosed(next),
    );
    if (handshake.initialize) {
      server.input.write(`${handshake.initialize}\n`);
      next.queued = [];
      for (const method of changed) sendToClient({ jsonrpc: "2.0", method });
    }
    for (const line of waiting.splice(0)) handleClientLine(line);
    if (previous) {
      previous.isRetired = true;
      closeIfDone(previous);
    }
    if (hasEnded) closeIfDone(next);
  };

  return {
    finished,
    get hasEnded() {
      return hasEnded;
    },
    pause() {
      const queued = current;
      current = undefined;
      if (!queued) return;
      queued.isRetired = true;
      closeIfDone(queued);
    },
    waitForCalls(server) {
      const proxied = [...running].find((each) => each.server === server);
      if (!proxied || proxied.unanswered.size === 0) return Promise.resolve();
      return new Promise((resolve) => proxied.onSettled.push(resolve));
    },
    // `onClosed` handles servers that have exited.
    drop: () => undefined,
    swap(server, changes) {
      swapTo(
        server,
        false,
        current?.isErrorServer ? getAllListNotifications() : getListNotifications(changes),
      );
    },
    async explain(problem) {
      const before = count;
      const errorServer = await createErrorServer(problem);
      // A server may have started meanwhile.
      if (count === before && (!current || current.isErrorServer)) swapTo(errorServer, true, []);
      else errorServer.input.end();
    },
  };
}

function trackRequest(proxied: ProxiedServer, message: Message): void {
  if (message.method !== undefined && message.id !== undefined)
    proxied.unanswered.set(getKey(message.id), message.id);
}

/** Parses the messages of a line: several in a batch, none if it is not JSON, to which the server responds with an error. */
function parseMessages(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).filter(
      (each): each is Message => typeof each === "object" && each !== null,
    );
  } catch {
    return [];
  }
}

/** Returns a key that differs for the IDs `1` and `"1"`. */
function getKey(id: Message["id"]): string {
  return JSON.stringify(id ?? null);
}
