import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { trace } from "@opentelemetry/api";
import { createNodeHandler } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { FOREIGN } from "../../test/wire/recorder.mjs";
import { createUser } from "./client/user.mjs";
import { startAuthorizationServer } from "./login/authorization-server.mjs";

describe("the secure server", () => {
  const http = createServer();
  let url: string;
  let stop: () => Promise<void>;

  const log: string[] = [];
  const spans: string[] = [];
  beforeAll(async () => {
    vi.spyOn(process.stderr, "write").mockImplementation((text) => log.push(String(text)) > 0);
    vi.spyOn(console, "error").mockImplementation((line) => void spans.push(String(line)));
    await new Promise<void>((resolve) => {
      http.listen(0, "localhost", resolve);
    });
    url = `http://localhost:${(http.address() as AddressInfo).port}/mcp`;
    const login = await startAuthorizationServer(0, url);
    Object.assign(login.http, { [FOREIGN]: true });
    vi.stubEnv("ISSUER", login.issuer);
    vi.stubEnv("RESOURCE", url);
    await import("./telemetry.mjs");
    const { server } = await import("./dist/app.js");
    vi.unstubAllEnvs();
    const handler = createNodeHandler(server, { path: "/mcp" });
    http.on("request", (request, response) => void handler(request, response));
    stop = async () => {
      vi.restoreAllMocks();
      trace.disable();
      await handler.close();
      for (const each of [http, login.http]) {
        each.close();
        each.closeAllConnections();
      }
    };
  });
  afterAll(() => stop());

  /** Creates a user with a client, and records the client's requests. */
  function connectUser(name: string) {
    const trace: string[] = [];
    const send: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      trace.push(`${response.status} ${pathname}`);
      return response;
    };
    const { do: attempt, requestedScopes, close } = createUser(name, url, send);
    const call = (tool: string, args = {}) =>
      attempt((client) => client.callTool({ name: tool, arguments: args }));
    return { attempt, call, requestedScopes, close, trace };
  }

  const lunch = { purpose: "Lunch", euros: 48.5 };

  test("an employee logs in, requests more scopes, and sees only permitted tools", async () => {
    const bob = connectUser("bob");
    expect((await bob.call("mine")).structuredContent).toEqual([]);
    expect(bob.trace).toEqual([
      "401 /mcp",
      "200 /.well-known/oauth-protected-resource/mcp",
      "200 /.well-known/oauth-authorization-server",
      "201 /reg",
      "200 /token",
      "200 /mcp",
      "200 /mcp",
    ]);
    bob.trace.splice(0);
    expect((await bob.call("submit", lunch)).structuredContent).toMatchObject({ id: 1, employee: "bob" });
    expect(bob.trace).toEqual(["403 /mcp", "200 /token", "200 /mcp", "200 /mcp"]);
    expect(bob.requestedScopes).toEqual(["expenses:read", "expenses:read expenses:write"]);

    const { tools } = await bob.attempt((client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual(["mine", "submit"]);
    await expect(bob.call("approve", { id: 1 })).rejects.toThrow('Unknown tool "approve"');
    const { resources } = await bob.attempt((client) => client.listResources());
    expect(resources).toEqual([]);
    await bob.close();

    const calls = log
      .flatMap((text) => text.split("\n"))
      .flatMap((line) => (line.includes('"event":"call"') ? [JSON.parse(line) as object] : []));
    expect(calls).toMatchObject([
      { target: "mine", outcome: "ok", subject: "bob" },
      { target: "submit", outcome: "rejected", subject: "bob" },
      { target: "submit", outcome: "ok", subject: "bob" },
      { target: "approve", outcome: "rejected", subject: "bob" },
    ]);
    expect(spans).toContainEqual(expect.stringMatching(/^span {2}tools\/call mine {2}\d+\.\d ms$/));
  });

  test("an employee may submit only a few reports per minute", async () => {
    const eve = connectUser("eve");
    // The first call counts twice: it was rejected at first, without the scope.
    for (let times = 0; times < 4; times++) expect((await eve.call("submit", lunch)).isError).toBeFalsy();
    await expect(eve.call("submit", lunch)).rejects.toThrow("5 in a minute are allowed");
    expect(eve.trace.at(-1)).toBe("429 /mcp");
    await eve.close();
  });

  test("a manager approves what others submit, and closes the books", async () => {
    const ada = connectUser("ada");
    expect((await ada.call("approve", { id: 1 })).structuredContent).toMatchObject({ state: "approved" });
    const { contents } = await ada.attempt((client) => client.readResource({ uri: "expenses://all" }));
    expect(JSON.parse((contents[0] as { text: string }).text)).toContainEqual(
      expect.objectContaining({ employee: "bob", state: "approved" }),
    );
    expect(await ada.call("close")).toMatchObject({ content: [{ text: "The books are closed." }] });
    const rejected = await ada.call("approve", { id: 1 });
    expect(rejected).toMatchObject({ isError: true, content: [{ text: "The books are closed." }] });
    expect((await ada.call("mine")).isError).toBeFalsy();
    await ada.close();
  });
});
