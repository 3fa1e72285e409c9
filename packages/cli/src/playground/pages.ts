import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { basename } from "node:path";
import type { ServerProcess } from "../dev/process/server-process.js";
import type { FailedDeclarations } from "../dev/failed-declarations.js";
import type { DevObserver } from "../dev/serving.js";
import { createNotes } from "./notes.js";
import { SECURITY_HEADERS } from "./page-files.js";
import type { Manifest } from "@tenon/runtime/manifest";
import type { FailedEntry, PageEvent, PageRequest, TaskTools } from "./page-messages.js";
import { findSourceLines } from "./source-lines.js";

/** The pages that are open in browsers, and their connections to the MCP server. */
export interface Pages {
  readonly observer: DevObserver;
  /** Sends events to a page while it is open. */
  open(reply: ServerResponse): void;
  /**
   * Handles a request of a page.
   *
   * @returns false if the page is not open
   */
  handleRequest(request: PageRequest): boolean;
  close(): void;
}

/** A connection of a page to one version of the server. */
interface Connection {
  page: string;
  /** The number that its page uses. */
  number: number;
  server: ServerProcess;
}

/**
 * Creates the set of open pages.
 *
 * @param root the project folder, absolute
 * @param sandbox the origin of views
 */
export function createPages(root: string, sandbox: string): Pages {
  const notes = createNotes(root);
  const pages = new Map<string, ServerResponse>();
  /** The connections by a number that is unique among all pages. */
  const connections = new Map<number, Connection>();
  let current: ServerProcess | undefined;
  /** The events that a newly opened page receives. */
  let state: PageEvent[] = [];
  let builds = 0;
  let opened = 0;

  const send = (page: string, event: PageEvent): void =>
    void pages.get(page)?.write(`data: ${JSON.stringify(event)}\n\n`);

  const broadcast = (event: PageEvent): void => {
    for (const page of pages.keys()) send(page, event);
  };

  const findConnection = (page: string, number: number): [key: number, Connection] | undefined => {
    for (const [key, each] of connections)
      if (each.page === page && each.number === number) return [key, each];
    return undefined;
  };

  const closeConnection = (key: number, { server }: Connection): void => {
    connections.delete(key);
    server.send({ type: "close", connection: key });
  };

  const disconnectServer = (server: ServerProcess): void => {
    if (current === server) current = undefined;
    for (const [key, { page, number, server: own }] of connections) {
      if (own !== server) continue;
      connections.delete(key);
      send(page, { type: "closed", connection: number });
    }
  };

  const disconnectPage = (page: string): void => {
    pages.delete(page);
    for (const [key, each] of connections) if (each.page === page) closeConnection(key, each);
  };

  return {
    observer: {
      onServed({ manifest, locate, server, failed }) {
        current = server;
        builds += 1;
        server.onMessage(({ connection, text, about }) => {
          const found = connections.get(connection);
          if (found) send(found.page, { type: "message", connection: found.number, text, about });
        });
        void server.exited.then(() => disconnectServer(server));
        const lines = locate ? findSourceLines(manifest, locate) : { tools: {}, prompts: {}, resources: {} };
        const tasks = listTaskTools(manifest);
        const event: PageEvent = {
          type: "served",
          build: builds,
          lines,
          tasks,
          broken: toFailedEntries(failed),
        };
        state = [event];
        broadcast(event);
      },
      onRejected(problem, failed) {
        const event: PageEvent = { type: "edit-failed", problem, broken: toFailedEntries(failed) };
        state = [...(current ? state.filter(({ type }) => type === "served") : []), event];
        broadcast(event);
      },
    },
    open(reply) {
      const page = randomUUID();
      reply.writeHead(200, { ...SECURITY_HEADERS, "content-type": "text/event-stream" });
      pages.set(page, reply);
      reply.on("close", () => disconnectPage(page));
      send(page, { type: "welcome", page, project: basename(root), sandbox, notes: notes.read() });
      for (const event of state) send(page, event);
    },
    handleRequest(request) {
      const { page } = request;
      if (!pages.has(page)) return false;
      if (request.type === "store") {
        notes.write(request.notes);
        return true;
      }
      const number = request.connection;
      const found = findConnection(page, number);
      if (request.type === "open") {
        // The page moves the connection from a replaced server to the current one.
        if (found) closeConnection(...found);
        if (!current) {
          send(page, { type: "closed", connection: number });
          return true;
        }
        const key = opened++;
        connections.set(key, { page, number, server: current });
        current.send({ type: "open", connection: key, principal: request.principal });
        return true;
      }
      // The server has exited. The page receives an event about it.
      if (!found) return true;
      const [key, { server }] = found;
      if (request.type === "message") {
        server.send({ type: "message", connection: key, message: request.message });
      } else {
        closeConnection(...found);
      }
      return true;
    },
    close() {
      for (const reply of pages.values()) reply.end();
    },
  };
}

function toFailedEntries({ declarations }: FailedDeclarations): FailedEntry[] {
  return declarations.map(({ target, problem }) => ({ key: target, problem }));
}

function listTaskTools({ tools }: Manifest): TaskTools {
  return Object.fromEntries(
    tools.flatMap(({ definition, task }) => (task ? [[definition.name, task.support]] : [])),
  );
}
