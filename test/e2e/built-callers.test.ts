import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHttpHandler } from "@tenon/runtime/http";
import type { PrincipalInput } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, fixtureSources, type BuiltServer } from "../support/built-server.js";

/** Over HTTP the token is the subject; over stdio, it is who started the server. */
const CONFIG = `
  import { defineServer } from "@tenon/runtime";
  const tenants: Record<string, string> = { ada: "engines", grace: "compilers" };
  export default defineServer({
    http: {
      principal: ({ header }) => {
        const subject = header("authorization")?.replace("Bearer ", "");
        return subject && { subject, claims: { tenant: tenants[subject] } };
      },
    },
    stdio: { principal: { subject: "ada", scopes: ["admin"], claims: { tenant: "local" } } },
  });
`;

let built: BuiltServer;
let server: Server;
beforeAll(async () => {
  built = await buildServer({ ...fixtureSources("manifests/callers"), "src/server.ts": CONFIG });
  server = await built.load();
});
afterAll(() => built.remove());

const ADA = { subject: "ada", claims: { tenant: "engines" } };
const ADMIN = { subject: "grace", scopes: ["admin"] };

describe.each(["2025-11-25", "2026-07-28"])("a caller at %s", (revision) => {
  const as = (principal?: PrincipalInput) =>
    connect(server, {
      revision,
      ...(principal !== undefined && { principal }),
      answers: { elicit: () => ({ action: "accept" as const, content: { sure: true } }) },
      showErrors: false,
    });
  const callText = async (client: Awaited<ReturnType<typeof as>>, tool: string, args = {}) => {
    const { content, isError } = await client.callTool(tool, args);
    const [block] = content as { text: string }[];
    return `${isError === true ? "ERROR " : ""}${block?.text ?? ""}`;
  };

  it("is passed to injected parameters, which clients cannot set", async () => {
    const client = await as(ADA);
    const tools = await client.listTools();
    expect(tools.find(({ name }) => name === "greet")?.inputSchema.properties).toEqual({
      word: { type: "string" },
    });
    expect(await callText(client, "orders")).toContain('["lamp","desk"]');
    expect(await callText(client, "greet", { word: "Hello" })).toBe("Hello, ada of engines!");
    expect(await callText(client, "greet", { word: "Hello", user: "grace" })).toContain("unknown argument");
  });

  it("is required, unless the parameter is optional", async () => {
    const client = await as();
    expect(await callText(client, "orders")).toBe(
      "ERROR This call requires an authenticated caller. Log in and try again.",
    );
    expect(await callText(client, "greet", { word: "Hello" })).toBe("Hello, stranger!");
    await expect(client.readResource("order://lamp")).rejects.toThrow("requires an authenticated caller");
  });

  it("determines what is listed, completed, and found", async () => {
    const [nobody, ada, admin] = await Promise.all([as(), as(ADA), as(ADMIN)]);
    const listNames = async (client: typeof ada) => (await client.listTools()).map(({ name }) => name);
    expect(await listNames(ada)).not.toContain("clear");
    expect(await listNames(admin)).toContain("clear");
    await expect(ada.callTool("clear")).rejects.toThrow('Unknown tool "clear"');
    expect(await callText(admin, "clear")).toBe("Cleared.");
    const busy = await as({ subject: "ada", scopes: ["admin"] });
    expect(await callText(busy, "clear")).toBe("ERROR Ship your own orders first.");
    expect((await ada.listResources()).map(({ uri }) => uri)).toEqual(["order://lamp", "order://desk"]);
    expect(await nobody.listResources()).toEqual([]);
    expect((await nobody.listPrompts()).length).toBe(0);
    expect((await ada.listPrompts()).length).toBe(1);
    const ref = { type: "ref/resource" as const, uri: "order://{item}" };
    expect((await ada.complete(ref, { name: "item", value: "l" })).values).toEqual(["lamp"]);
    expect((await admin.complete(ref, { name: "item", value: "l" })).values).toEqual([]);
    await expect(admin.readResource("order://lamp")).rejects.toThrow("No resource");
  });

  it("without permission sees nothing of a tool, in lists and notifications", async () => {
    const [ada, admin] = await Promise.all([as(ADA), as(ADMIN)]);
    const listNames = async (client: typeof ada) => (await client.listTools()).map(({ name }) => name);
    expect(await listNames(ada)).toEqual(expect.arrayContaining(["engines", "cancel"]));
    expect(await listNames(admin)).not.toContain("engines");
    expect(await listNames(ada)).not.toContain("later");
    expect(await callText(ada, "engines")).toBe("Steam.");
    await expect(admin.callTool("engines")).rejects.toThrow(/^Unknown tool "engines"\.$/);
    await expect(ada.callTool("later")).rejects.toThrow('Unknown tool "later"');
    expect(await callText(ada, "cancel", { item: "lamp" })).toBe("Cancelled lamp.");
    await expect(admin.callTool("cancel", { item: "lamp" })).rejects.toThrow(/^Unknown tool "cancel"\.$/);
    expect((await ada.readResource("invoice://lamp")).contents).toHaveLength(1);
    await expect(admin.readResource("invoice://lamp")).rejects.toThrow('No resource "invoice://lamp"');
  });

  it("has its own rate limit", async () => {
    const [ada, grace] = await Promise.all(
      ["ada", "grace"].map((subject) => as({ subject, issuer: revision })),
    );
    const lines = async (client = ada, tool = "") =>
      Promise.all(
        [1, 2, 3].map(async () => (await callText(client!, tool)).replace(/(?<=again in ).*/, "…")),
      );
    const tooManyCalls = (tool: string, allowed: string): string =>
      `ERROR Too many calls to tool "${tool}": ${allowed} allowed. Try again in …`;
    expect(await lines(ada, "ship")).toEqual([
      "Shipped.",
      "Shipped.",
      tooManyCalls("ship", "2 in a minute are"),
    ]);
    expect(await lines(grace, "label")).toEqual([
      "Printed.",
      ...Array(2).fill(tooManyCalls("label", "1 in a minute is")),
    ]);
    expect(await lines(ada, "label")).toEqual([
      "Printed.",
      "Printed.",
      tooManyCalls("label", "2 in a minute are"),
    ]);
    expect(await callText(grace!, "ship")).toBe("Shipped.");
  });

  it("stays the same after a question", async () => {
    expect(await callText(await as(ADA), "confirm")).toBe("ada: accept");
  });

  it("has a session if calls share one", async () => {
    const [one, other] = await Promise.all([as(ADA), as(ADA)]);
    const id = await callText(one, "session");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await callText(one, "session")).toBe(id);
    expect(await callText(other, "session")).not.toBe(id);
  });
});

describe("the principal over a real transport", () => {
  const call = async (client: Client, name: string) => {
    const { structuredContent } = await client.callTool({ name, arguments: {} });
    return structuredContent;
  };

  it("is the verified one over HTTP, without its token", async () => {
    const handle = createHttpHandler(server);
    const client = new Client({ name: "official", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => handle(new Request(url, init)),
      requestInit: { headers: { authorization: "Bearer grace", "user-agent": "tests", host: "127.0.0.1" } },
    });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    expect(await call(client, "caller")).toEqual({
      subject: "grace",
      client: "official",
      session: true,
      agent: "tests",
    });
    expect(await call(client, "orders")).toEqual({ result: ["chair"] });
    await client.close();
    await handle.close();
  });

  it("is the user who started the server over stdio", async () => {
    const client = new Client({ name: "official", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [built.program] }));
    expect(await call(client, "caller")).toEqual({ subject: "ada", client: "official", session: true });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("clear");
    await client.close();
  });
});
