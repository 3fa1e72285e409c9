import { request as httpRequest } from "node:http";
import type { OAuth, OAuthOptions } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import type { Application, Server } from "@tenon/runtime/server";
import { quietServer } from "../../../support/describe-transports.js";
import { headersFor } from "../../../support/wires.js";
import { createFixture } from "../../fixture/application.js";
import { type Issuer, startIssuer } from "../issuer.js";
import {
  type Answer,
  type ClientKey,
  createClientKey,
  type Expected,
  Given,
  RESOURCE,
  type Row,
  type Sent,
  type ServerName,
  SERVERS,
} from "./row.js";

type Send = (sent: Sent) => Promise<Answer>;

/** Carries requests to a server. */
export type Carrier = (server: Server) => Promise<{ send: Send; close(): Promise<void> }>;

/** The servers of tables, and the issuer of their tokens. */
export interface Tables {
  /** @returns what is not as expected */
  run(row: Row): Promise<string[]>;
  close(): Promise<void>;
}

/** @param createAuth `oauth`, or what pretends to be it */
export async function openTables(
  createAuth: (options: OAuthOptions) => OAuth,
  carrier: Carrier,
  issuer?: Issuer,
): Promise<Tables> {
  const from = issuer ?? (await startIssuer());
  const keys: [ClientKey, ClientKey] = [await createClientKey(), await createClientKey()];
  const servers = new Map<ServerName, ReturnType<Carrier>>();
  const serverOf = (name: ServerName): ReturnType<Carrier> => {
    const found = servers.get(name) ?? carrier(quietServer(application(createAuth, name, from)));
    servers.set(name, found);
    return found;
  };
  return {
    run: async ({ server, request, expected }) => {
      const { send } = await serverOf(server ?? "plain");
      return differences(await send(await request(new Given(from, ...keys, send))), expected);
    },
    close: async () => {
      for (const server of servers.values()) await (await server).close();
      if (issuer === undefined) await from.close();
    },
  };
}

/** `conditions` needs the scope `write`, `add` none. */
function application(
  createAuth: (options: OAuthOptions) => OAuth,
  name: ServerName,
  issuer: Issuer,
): Application {
  const auth = createAuth({
    issuer: issuer.url,
    resource: RESOURCE,
    scopes: { read: {}, write: { implies: ["read"] }, admin: { implies: ["write"] } },
    ...SERVERS[name](issuer),
  });
  const { manifest, ...rest } = createFixture({ auth });
  const tools = manifest.tools.map((tool) =>
    tool.definition.name === "conditions" ? { ...tool, scopes: ["write"] } : tool,
  );
  return { ...rest, manifest: { ...manifest, tools } };
}

function messageOf({ tool = "add" }: Sent): Parameters<typeof headersFor>[0] & object {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: tool,
      arguments: tool === "add" ? { a: 1, b: 2 } : { city: "Oslo" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
}

/** A server that listens, and requests as they are: with headers that come twice, and hosts that are not its own. */
export const byListener: Carrier = async (server) => {
  const listener = await listen(server, { port: 0 });
  const send: Send = (sent) =>
    new Promise((resolve, reject) => {
      const { method = "POST", path = new URL(RESOURCE).pathname, headers } = sent;
      const message = messageOf(sent);
      const outgoing = httpRequest(
        {
          port: listener.port,
          host: "127.0.0.1",
          method,
          path,
          headers: { ...headersFor(message), ...(headers as Record<string, string>) },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              text,
            });
          });
        },
      );
      outgoing.on("error", reject).end(method === "POST" ? JSON.stringify(message) : undefined);
    });
  return { send, close: () => listener.close() };
};

/** A server as a function: quick to make and to ask. */
export const byHandler: Carrier = async (server) => {
  const handle = createHttpHandler(server);
  const send: Send = async (sent) => {
    const { method = "POST", path = new URL(RESOURCE).pathname, headers = {} } = sent;
    const message = messageOf(sent);
    const all = new Headers(headersFor(message));
    for (const [name, values] of Object.entries(headers)) {
      all.delete(name);
      for (const value of [values].flat()) all.append(name, value as string);
    }
    const body = method === "POST" ? JSON.stringify(message) : null;
    const response = await handle(new Request(new URL(path, RESOURCE), { method, headers: all, body }));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };
  return { send, close: () => handle.close() };
};

function differences({ status, headers, text }: Answer, expected: Expected): string[] {
  const challenge = headers["www-authenticate"] ?? "";
  const found: string[] = [];
  if (status !== expected.status) found.push(`status ${status} instead of ${expected.status}: ${text}`);
  if (expected.challenge !== undefined && !challenge.startsWith(expected.challenge))
    found.push(`the challenge ${challenge} instead of ${expected.challenge}`);
  for (const part of expected.says ?? [])
    if (!challenge.includes(part)) found.push(`${challenge} does not say ${part}`);
  for (const part of expected.doesNotSay ?? [])
    if (challenge.includes(part)) found.push(`${challenge} says ${part}`);
  for (const [name, pattern] of Object.entries(expected.headers ?? {}))
    if (!pattern.test(headers[name] ?? "")) found.push(`the header ${name}: ${headers[name]}`);
  if (expected.json !== undefined && text !== JSON.stringify(expected.json)) found.push(text);
  return found;
}
