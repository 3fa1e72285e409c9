import { request as httpRequest } from "node:http";
import type * as Auth from "@tenon/runtime/auth";
import { listen } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { headersFor } from "../../../support/wires.js";
import { createFixture } from "../../fixture/application.js";
import type { Issuer } from "../issuer.js";
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

/** A server that listens. */
interface Listening {
  readonly send: Send;
  /** Internal errors of the server. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** The servers of tables, and the issuer of their tokens. */
export interface Tables {
  /** @returns differences from the expected response */
  run(row: Row): Promise<string[]>;
  close(): Promise<void>;
}

/** @param auth the module, or a changed copy */
export async function openTables(auth: typeof Auth, issuer: Issuer): Promise<Tables> {
  const keys: [ClientKey, ClientKey] = [await createClientKey(), await createClientKey()];
  const servers = new Map<ServerName, Promise<Listening>>();
  const findServer = (name: ServerName): Promise<Listening> => {
    const found = servers.get(name) ?? start(auth, name, issuer);
    servers.set(name, found);
    return found;
  };
  return {
    run: async ({ server, request, expected }) => {
      const { send, errors } = await findServer(server ?? "plain");
      const sent = await request(new Given(issuer, ...keys, send));
      const answer = await send(sent);
      const failures = expected.status === 503 ? [] : errors;
      return [
        ...differences(answer, expected, issuer.url),
        ...secretsIn(answer, sent),
        ...failures.splice(0),
      ];
    },
    close: async () => {
      for (const server of servers.values()) await (await server).close();
    },
  };
}

/** Starts a server in which `conditions` needs the scope `write`, and `add` none. */
async function start(auth: typeof Auth, name: ServerName, issuer: Issuer): Promise<Listening> {
  const options: Auth.OAuthOptions = {
    issuer: issuer.url,
    resource: RESOURCE,
    scopes: { read: {}, write: { implies: ["read"] }, admin: { implies: ["write"] } },
    ...SERVERS[name](issuer, auth),
  };
  const { manifest, ...rest } = createFixture({ auth: auth.oauth(options) });
  const tools = manifest.tools.map((tool) =>
    tool.definition.name === "conditions" ? { ...tool, scopes: ["write"] } : tool,
  );
  const { pathname } = new URL(options.resource);
  const errors: string[] = [];
  const server = createServer(
    { ...rest, manifest: { ...manifest, tools } },
    { onInternalError: ({ error }) => errors.push(String(error)) },
  );
  const listener = await listen(server, { port: 0, path: pathname });
  return {
    errors,
    send: (sent) => sendTo(listener.port, { path: pathname, ...sent }),
    close: () => listener.close(),
  };
}

function toMessage({ tool = "add" }: Sent): Parameters<typeof headersFor>[0] & object {
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

/** Sends requests as they are: with headers that come twice, and hosts that are not the listener's own. */
function sendTo(port: number, sent: Sent): Promise<Answer> {
  const { method = "POST", path = "/", headers } = sent;
  const message = toMessage(sent);
  const all = { ...headersFor(message), ...(headers as Record<string, string>) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", method, path, headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received as Answer["headers"], text });
      });
    });
    request.on("error", reject).end(method === "POST" ? JSON.stringify(message) : undefined);
  });
}

/** Returns the tokens and proofs of a request that the response repeats. */
function secretsIn({ headers, text }: Answer, sent: Sent): string[] {
  const secrets = ["authorization", "dpop"].flatMap((name) => sent.headers?.[name] ?? []);
  const response = `${JSON.stringify(headers)}${text}`;
  return secrets
    .map((secret) => secret.replace(/^\S+ +/, ""))
    .filter((secret) => secret.length > 20 && response.includes(secret));
}

function differences({ status, headers, text }: Answer, expected: Expected, issuer: string): string[] {
  const challenge = headers["www-authenticate"] ?? "";
  const found: string[] = [];
  if (status !== expected.status) found.push(`status ${status} instead of ${expected.status}: ${text}`);
  if (expected.challenge !== undefined && !challenge.startsWith(expected.challenge))
    found.push(`the challenge ${challenge} instead of ${expected.challenge}`);
  for (const part of expected.challengeContains ?? [])
    if (!challenge.includes(part)) found.push(`${challenge} does not say ${part}`);
  for (const part of expected.challengeOmits ?? [])
    if (challenge.includes(part)) found.push(`${challenge} contains ${part}`);
  for (const [name, pattern] of Object.entries(expected.headers ?? {}))
    if (!pattern.test(headers[name] ?? "")) found.push(`the header ${name}: ${headers[name]}`);
  if (expected.json !== undefined && text !== JSON.stringify(expected.json(issuer))) found.push(text);
  return found;
}
