import type { Readable, Writable } from "node:stream";
import type { DevProxy } from "./dev-proxy.js";
import { declareListChanged, listChanged } from "./list-changed.js";
import { readLines } from "./read-lines.js";

/** A server process as this end of a pipe sees it. */
export interface PipedServer {
  input: Writable;
  output: Readable;
}

/** Keeps one client's stdin and stdout while the servers behind them come and go. */
export interface StdioProxy extends DevProxy<PipedServer> {
  /** Resolves when the client has closed its end and every server the end of its output. */
  readonly finished: Promise<void>;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { requestId?: string | number };
  [member: string]: unknown;
}

/** One server, from its start to the end of its output. */
interface Generation {
  number: number;
  server: PipedServer;
  /** Requests it still owes an answer, by key of their id. */
  owed: Map<string, Message["id"]>;
  /** Lines that wait for the handshake to be repeated. */
  held: string[] | undefined;
  retired: boolean;
}

/**
 * Passes lines between a client and the current server. The handshake of the older revisions is kept and
 * repeated for every new server; answers go to whoever asked; a server that dies leaves an error for every
 * request it took. Lines that come before there is a server wait for it.
 */
export function createStdioProxy(input: Readable, output: Writable): StdioProxy {
  let current: Generation | undefined;
  let ended = false;
  let count = 0;
  const waiting: string[] = [];
  const handshake: { initialize?: string; key?: string; initialized?: string } = {};
  const alive = new Set<Generation>();
  const asked = new Map<string, { generation: Generation; id: Message["id"] }>();
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const say = (message: Message): void => void output.write(`${JSON.stringify(message)}\n`);

  const send = (generation: Generation, line: string): void => {
    if (generation.held) generation.held.push(line);
    else generation.server.input.write(`${line}\n`);
  };

  const closeIfDone = (generation: Generation): void => {
    if ((generation.retired && generation.owed.size === 0) || (ended && !generation.held))
      generation.server.input.end();
  };

  const fromClient = (line: string): void => {
    if (!current) {
      waiting.push(line);
      return;
    }
    const messages = parse(line);
    const [only] = messages;
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
    if (only.method === undefined && only.id !== undefined) {
      const question = asked.get(keyOf(only.id));
      asked.delete(keyOf(only.id));
      if (question) send(question.generation, JSON.stringify({ ...only, id: question.id }));
      else send(current, line);
      return;
    }
    noteRequest(current, only);
    const cancelled = only.method === "notifications/cancelled" ? keyOf(only.params?.requestId) : undefined;
    const owner = cancelled === undefined ? undefined : [...alive].find(({ owed }) => owed.has(cancelled));
    if (cancelled !== undefined) owner?.owed.delete(cancelled);
    send(owner ?? current, line);
    if (owner) closeIfDone(owner);
  };

  const fromServer = (generation: Generation, line: string): void => {
    const messages = parse(line);
    const [only] = messages;
    const isAnswer = only !== undefined && only.method === undefined;
    if (messages.length === 1 && isAnswer && generation.held && keyOf(only.id) === handshake.key) {
      const held = generation.held;
      generation.held = undefined;
      if (handshake.initialized) send(generation, handshake.initialized);
      for (const each of held) send(generation, each);
      closeIfDone(generation);
      return;
    }
    for (const message of messages)
      if (message.method === undefined) generation.owed.delete(keyOf(message.id));
    if (messages.length === 1 && only?.method !== undefined && only.id !== undefined) {
      const id = `${generation.number}:${JSON.stringify(only.id)}`;
      asked.set(keyOf(id), { generation, id: only.id });
      say({ ...only, id });
    } else if (isAnswer && keyOf(only.id) === handshake.key) {
      say(declareListChanged(only));
    } else {
      output.write(`${line}\n`);
    }
    closeIfDone(generation);
  };

  const gone = (generation: Generation): void => {
    alive.delete(generation);
    if (current === generation) current = undefined;
    for (const id of generation.owed.values()) {
      const error = { code: -32_603, message: "The server stopped before it could answer." };
      say({ jsonrpc: "2.0", id: id ?? null, error });
    }
    if (ended && alive.size === 0) finish();
  };

  readLines(input, fromClient, () => {
    ended = true;
    for (const generation of alive) closeIfDone(generation);
    if (alive.size === 0) finish();
  });

  return {
    finished,
    get ended() {
      return ended;
    },
    // A pipe that closes says so itself.
    drop: () => undefined,
    swap(server, changes) {
      const previous = current;
      count += 1;
      const next: Generation = { number: count, server, owed: new Map(), held: undefined, retired: false };
      current = next;
      alive.add(next);
      server.input.on("error", () => undefined);
      readLines(
        server.output,
        (line) => fromServer(next, line),
        () => gone(next),
      );
      if (handshake.initialize) {
        server.input.write(`${handshake.initialize}\n`);
        next.held = [];
        for (const method of listChanged(changes)) say({ jsonrpc: "2.0", method });
      }
      for (const line of waiting.splice(0)) fromClient(line);
      if (previous) {
        previous.retired = true;
        closeIfDone(previous);
      }
      if (ended) closeIfDone(next);
    },
  };
}

function noteRequest(generation: Generation, message: Message): void {
  if (message.method !== undefined && message.id !== undefined)
    generation.owed.set(keyOf(message.id), message.id);
}

/** The messages of a line: several in a batch, none when it is no JSON (the server will say so). */
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
