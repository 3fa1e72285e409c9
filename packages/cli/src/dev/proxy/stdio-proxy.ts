import type { Readable, Writable } from "node:stream";
import type { DevProxy } from "./dev-proxy.js";
import { allListsChanged, declareListChanged, listChanged } from "./list-changed.js";
import { readLines } from "./read-lines.js";
import type { Traffic } from "./traffic.js";

/** A server process as this end of a pipe sees it. */
export interface PipedServer {
  input: Writable;
  output: Readable;
}

/** Keeps one client's stdin and stdout while the servers behind them come and go. */
export interface StdioProxy extends DevProxy<PipedServer> {
  /** Resolves when the client has closed its end and every server has ended its output. */
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
  /** Requests it has not answered yet, by key of their id. */
  unanswered: Map<string, Message["id"]>;
  /** Lines that wait for the handshake to be repeated. */
  held: string[] | undefined;
  retired: boolean;
  /** Called when it has answered everything. */
  onSettled: (() => void)[];
  /** It only says what is wrong. */
  isStandIn: boolean;
}

/**
 * Passes lines between a client and the current server. The handshake of the older revisions is kept and
 * repeated for every new server; answers go to whoever asked; a server that dies leaves an error for every
 * request it took. Lines that come before there is a server, or something to say about why there is none, wait for it.
 *
 * @param createStandIn makes a server that answers calls with what is wrong
 * @param traffic sees what the client sends and is sent
 */
export function createStdioProxy(
  input: Readable,
  output: Writable,
  createStandIn: (problem: string) => Promise<PipedServer>,
  traffic?: Traffic,
): StdioProxy {
  let current: ProxiedServer | undefined;
  let ended = false;
  let count = 0;
  const waiting: string[] = [];
  const handshake: { initialize?: string; key?: string; initialized?: string } = {};
  const alive = new Set<ProxiedServer>();
  const serverRequests = new Map<string, { proxied: ProxiedServer; id: Message["id"] }>();
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const observe = (from: "client" | "server", line: string): void => {
    if (!traffic) return;
    const at = performance.now();
    for (const message of parse(line)) traffic({ from, session: "stdio", message, at });
  };
  const writeToClient = (line: string): void => {
    observe("server", line);
    output.write(`${line}\n`);
  };
  const sendToClient = (message: Message): void => writeToClient(JSON.stringify(message));

  const send = (proxied: ProxiedServer, line: string): void => {
    if (proxied.held) proxied.held.push(line);
    else proxied.server.input.write(`${line}\n`);
  };

  const closeIfDone = (proxied: ProxiedServer): void => {
    if (proxied.unanswered.size === 0) for (const settle of proxied.onSettled.splice(0)) settle();
    if ((proxied.retired && proxied.unanswered.size === 0) || (ended && !proxied.held))
      proxied.server.input.end();
  };

  /** What belongs to a call, or answers a question, goes where that is. */
  const sentToOwner = (only: Message, line: string): boolean => {
    if (only.method === undefined && only.id !== undefined) {
      const question = serverRequests.get(keyOf(only.id));
      serverRequests.delete(keyOf(only.id));
      if (question) send(question.proxied, JSON.stringify({ ...only, id: question.id }));
      return question !== undefined;
    }
    const cancelled = only.method === "notifications/cancelled" ? keyOf(only.params?.requestId) : undefined;
    const owner =
      cancelled === undefined ? undefined : [...alive].find(({ unanswered }) => unanswered.has(cancelled));
    if (cancelled === undefined || owner === undefined) return false;
    owner.unanswered.delete(cancelled);
    send(owner, line);
    closeIfDone(owner);
    return true;
  };

  const fromClient = (line: string): void => {
    const messages = parse(line);
    const [only] = messages;
    if (messages.length === 1 && only && sentToOwner(only, line)) return;
    if (!current) {
      waiting.push(line);
      return;
    }
    if (messages.length !== 1 || !only) {
      for (const message of messages) noteRequest(current, message);
      send(current, line);
      return;
    }
    if (only.method === "initialize") {
      handshake.initialize = line;
      handshake.key = keyOf(only.id);
    }
    if (only.method === "notifications/initialized") handshake.initialized = line;
    noteRequest(current, only);
    send(current, line);
  };

  const fromServer = (proxied: ProxiedServer, line: string): void => {
    const messages = parse(line);
    const [only] = messages;
    const isAnswer = only !== undefined && only.method === undefined;
    if (messages.length === 1 && isAnswer && proxied.held && keyOf(only.id) === handshake.key) {
      const held = proxied.held;
      proxied.held = undefined;
      if (handshake.initialized) send(proxied, handshake.initialized);
      for (const each of held) send(proxied, each);
      closeIfDone(proxied);
      return;
    }
    for (const message of messages)
      if (message.method === undefined) proxied.unanswered.delete(keyOf(message.id));
    if (messages.length === 1 && only?.method !== undefined && only.id !== undefined) {
      const id = `${proxied.number}:${JSON.stringify(only.id)}`;
      serverRequests.set(keyOf(id), { proxied, id: only.id });
      sendToClient({ ...only, id });
    } else if (isAnswer && keyOf(only.id) === handshake.key) {
      sendToClient(declareListChanged(only));
    } else {
      writeToClient(line);
    }
    closeIfDone(proxied);
  };

  const onClosed = (proxied: ProxiedServer): void => {
    alive.delete(proxied);
    for (const settle of proxied.onSettled.splice(0)) settle();
    if (current === proxied) current = undefined;
    for (const id of proxied.unanswered.values()) {
      const error = { code: -32_603, message: "The server stopped before it could answer." };
      sendToClient({ jsonrpc: "2.0", id: id ?? null, error });
    }
    if (ended && alive.size === 0) finish();
  };

  const takeLine = (line: string): void => {
    observe("client", line);
    fromClient(line);
  };
  readLines(input, takeLine, () => {
    ended = true;
    for (const proxied of alive) closeIfDone(proxied);
    if (alive.size === 0) finish();
  });

  const swapTo = (server: PipedServer, isStandIn: boolean, changed: readonly string[]): void => {
    const previous = current;
    count += 1;
    const next: ProxiedServer = {
      number: count,
      server,
      unanswered: new Map(),
      held: undefined,
      retired: false,
      onSettled: [],
      isStandIn,
    };
    current = next;
    alive.add(next);
    server.input.on("error", () => undefined);
    readLines(
      server.output,
      (line) => fromServer(next, line),
      () => onClosed(next),
    );
    if (handshake.initialize) {
      server.input.write(`${handshake.initialize}\n`);
      next.held = [];
      for (const method of changed) sendToClient({ jsonrpc: "2.0", method });
    }
    for (const line of waiting.splice(0)) fromClient(line);
    if (previous) {
      previous.retired = true;
      closeIfDone(previous);
    }
    if (ended) closeIfDone(next);
  };

  return {
    finished,
    get ended() {
      return ended;
    },
    hold() {
      const held = current;
      current = undefined;
      if (!held) return;
      held.retired = true;
      closeIfDone(held);
    },
    settled(server) {
      const proxied = [...alive].find((each) => each.server === server);
      if (!proxied || proxied.unanswered.size === 0) return Promise.resolve();
      return new Promise((resolve) => proxied.onSettled.push(resolve));
    },
    // A pipe that closes says so itself.
    drop: () => undefined,
    swap(server, changes) {
      swapTo(server, false, current?.isStandIn ? allListsChanged() : listChanged(changes));
    },
    async explain(problem) {
      const before = count;
      const standIn = await createStandIn(problem);
      // A server that came meanwhile is better than any explanation.
      if (count === before && (!current || current.isStandIn)) swapTo(standIn, true, []);
      else standIn.input.end();
    },
  };
}

function noteRequest(proxied: ProxiedServer, message: Message): void {
  if (message.method !== undefined && message.id !== undefined)
    proxied.unanswered.set(keyOf(message.id), message.id);
}

/** The messages of a line: several in a batch, none when it is no JSON (the server will answer with an error). */
function parse(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).filter(
      (each): each is Message => typeof each === "object" && each !== null,
    );
  } catch {
    return [];
  }
}

/** `1` and `"1"` are different ids. */
function keyOf(id: Message["id"]): string {
  return JSON.stringify(id ?? null);
}
