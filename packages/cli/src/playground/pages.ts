import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { basename } from "node:path";
import type { ServerProcess } from "../dev/process/server-process.js";
import type { Broken } from "../dev/broken.js";
import type { DevObserver } from "../dev/server.js";
import { createNotes } from "./notes.js";
import { SECURITY_HEADERS } from "./page-files.js";
import type { Manifest } from "@tenon/runtime/manifest";
import type { BrokenEntry, PageEvent, PageRequest, TaskTools } from "./page-messages.js";
import { sourceLines } from "./source-lines.js";

/** The pages that are open in browsers, and what they say to the MCP server. */
export interface Pages {
  readonly observer: DevObserver;
  /** Sends a page everything that happens, for as long as it is open. */
  open(reply: ServerResponse): void;
  /** @returns false when there is no such page (any more) */
  take(request: PageRequest): boolean;
  close(): void;
}

/** A conversation of a page with one version of the server. */
interface Connection {
  page: string;
  /** As its page knows it. */
  number: number;
  server: ServerProcess;
}

/** @param root the project folder, absolute */
export function createPages(root: string): Pages {
  const notes = createNotes(root);
  const pages = new Map<string, ServerResponse>();
  /** By number here: pages do not know each other's. */
  const connections = new Map<number, Connection>();
  let current: ServerProcess | undefined;
  /** What a page has to know that is opened now. */
  let state: PageEvent[] = [];
  let builds = 0;
  let opened = 0;

  const send = (page: string, event: PageEvent): void =>
    void pages.get(page)?.write(`data: ${JSON.stringify(event)}\n\n`);

  const announce = (event: PageEvent): void => {
    for (const page of pages.keys()) send(page, event);
  };

  const numberOf = (page: string, number: number): number | undefined => {
    for (const [key, each] of connections) if (each.page === page && each.number === number) return key;
    return undefined;
  };

  const forget = (server: ServerProcess): void => {
    if (current === server) current = undefined;
    for (const [key, { page, number, server: own }] of connections) {
      if (own !== server) continue;
      connections.delete(key);
      send(page, { type: "closed", connection: number });
    }
  };

  const leave = (page: string): void => {
    pages.delete(page);
    for (const [key, { page: own, server }] of connections) {
      if (own !== page) continue;
      connections.delete(key);
      server.send({ type: "close", connection: key });
    }
  };

  return {
    observer: {
      served({ manifest, locate, server, broken }) {
        current = server;
        builds += 1;
        server.onMessage(({ connection, text, about }) => {
          const found = connections.get(connection);
          if (found) send(found.page, { type: "message", connection: found.number, text, about });
        });
        void server.exited.then(() => forget(server));
        const lines = locate ? sourceLines(manifest, locate) : { tools: {}, prompts: {}, resources: {} };
        const tasks = taskTools(manifest);
        const event: PageEvent = { type: "served", build: builds, lines, tasks, broken: entriesIn(broken) };
        state = [event];
        announce(event);
      },
      refused(problem, broken) {
        const event: PageEvent = { type: "refused", problem, broken: entriesIn(broken) };
        state = [...(current ? state.filter(({ type }) => type === "served") : []), event];
        announce(event);
      },
    },
    open(reply) {
      const page = randomUUID();
      reply.writeHead(200, { ...SECURITY_HEADERS, "content-type": "text/event-stream" });
      pages.set(page, reply);
      reply.on("close", () => leave(page));
      send(page, { type: "welcome", page, project: basename(root), notes: notes.read() });
      for (const event of state) send(page, event);
    },
    take(request) {
      const { page } = request;
      if (!pages.has(page)) return false;
      if (request.type === "keep") {
        notes.write(request.notes);
        return true;
      }
      const number = request.connection;
      if (request.type === "open") {
        if (!current) {
          send(page, { type: "closed", connection: number });
          return true;
        }
        const key = opened++;
        connections.set(key, { page, number, server: current });
        current.send({ type: "open", connection: key, principal: request.principal });
        return true;
      }
      const key = numberOf(page, number);
      const server = key === undefined ? undefined : connections.get(key)?.server;
      // The server has gone; the page has been told, or is about to be.
      if (key === undefined || !server) return true;
      if (request.type === "message") {
        server.send({ type: "message", connection: key, message: request.message });
      } else {
        connections.delete(key);
        server.send({ type: "close", connection: key });
      }
      return true;
    },
    close() {
      for (const reply of pages.values()) reply.end();
    },
  };
}

function entriesIn({ declarations }: Broken): BrokenEntry[] {
  return declarations.map(({ target, problem }) => ({ key: target, problem }));
}

function taskTools({ tools }: Manifest): TaskTools {
  return Object.fromEntries(
    tools.flatMap(({ definition, task }) => (task ? [[definition.name, task.support]] : [])),
  );
}
