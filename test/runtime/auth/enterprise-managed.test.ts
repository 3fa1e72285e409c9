/**
 * Enterprise-managed authorization from the user's login at a company to a tool: the official client exchanges the ID
 * token for an identity assertion (ID-JAG), and that for an access token. The server has the configuration of any other.
 *
 * @see https://modelcontextprotocol.io/extensions/auth/enterprise-managed-authorization
 */
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { oauth } from "@tenon/runtime/auth";
import { createNodeHandler, type NodeHandler } from "@tenon/runtime/node";
import { afterEach, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import {
  CLIENT,
  signInAtCompany,
  startAssertionServer,
  startIdentityProvider,
} from "./enterprise-servers.js";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(mayUse: (issuer: string) => boolean = () => true) {
  let handler: NodeHandler | undefined;
  const http: HttpServer = createHttpServer((request, response) => handler?.(request, response));
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const resource = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const idp = await startIdentityProvider(mayUse);
  const login = await startAssertionServer(resource, idp.issuer);
  const callers: unknown[] = [];
  const auth = oauth({ issuer: login.issuer, resource, scopes: { read: {}, write: {} } });
  const { manifest, ...rest } = createFixture({
    auth,
    use: [
      (call, next) => {
        callers.push(call.principal);
        return next();
      },
    ],
  });
  const tools = manifest.tools.map((tool) =>
    tool.definition.name === "add" ? { ...tool, scopes: ["read"] } : tool,
  );
  handler = createNodeHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }));
  closing.push(
    () =>
      new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      }),
    () => idp.close(),
    () => login.close(),
    () => handler?.close(),
  );
  return { resource, idp, login, callers };
}

function connect(
  { resource, idp, login }: Awaited<ReturnType<typeof start>>,
  change: (assertion: string) => string = (assertion) => assertion,
) {
  const authProvider = new CrossAppAccessProvider({
    expectedIssuer: login.issuer,
    clientId: CLIENT.server,
    clientSecret: CLIENT.secret,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        idpUrl: idp.issuer,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: await signInAtCompany(idp.issuer),
        clientId: CLIENT.idp,
        clientSecret: CLIENT.secret,
        ...(scope !== undefined && { scope }),
        fetchFn,
      });
      return change(jwtAuthGrant);
    },
  });
  const client = new Client({ name: "company-app", version: "1.0.0" });
  closing.push(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider });
  return client.connect(transport).then(() => client);
}

test("a user of a company calls a tool without a login at the server's authorization server", async () => {
  const servers = await start();
  const client = await connect(servers);
  const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  expect(result.structuredContent).toEqual({ result: 3 });
  expect(servers.callers.at(-1)).toMatchObject({
    subject: "ada",
    issuer: servers.login.issuer,
    client: CLIENT.server,
    scopes: expect.arrayContaining(["read"]),
  });
});

test("users of a company that has not allowed the server are rejected", async () => {
  await expect(connect(await start(() => false))).rejects.toThrow(/the company does not use this server/);
});

test("an assertion that was changed is rejected", async () => {
  const corrupt = (assertion: string): string => `${assertion.slice(0, -8)}AAAAAAAA`;
  await expect(connect(await start(), corrupt)).rejects.toThrow("grant request is invalid");
});

test("the server accepts no identity assertion in place of an access token", async () => {
  const servers = await start();
  let assertion = "";
  await connect(servers, (given) => (assertion = given));
  const response = await fetch(servers.resource, {
    method: "POST",
    headers: { authorization: `Bearer ${assertion}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(401);
});
