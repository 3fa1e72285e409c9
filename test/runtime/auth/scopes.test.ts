import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import type { PrincipalInput, ServerConfig } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";
import type { Application } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import { createFixture } from "../fixture/application.js";
import { createTasksFixture } from "../tasks/application.js";
import { type Issuer, startIssuer } from "./issuer.js";

const RESOURCE = "https://mcp.example.com/mcp";
const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

/**
 * Creates a server in which `add` needs a scope that another one implies, `conditions` two, and resources and prompts
 * one each.
 */
function application(config: ServerConfig = {}): Application {
  const { manifest, ...rest } = createFixture({
    ...config,
    auth: oauth({
      issuer: issuer.url,
      resource: RESOURCE,
      scopes: {
        read: {},
        write: { implies: ["read"] },
        admin: { implies: ["write"] },
        audit: {},
        unused: {},
      },
    }),
  });
  const scopes: Record<string, string[]> = { add: ["read"], conditions: ["write", "audit"] };
  return {
    ...rest,
    manifest: {
      ...manifest,
      tools: manifest.tools.map((tool) => {
        const needed = scopes[tool.definition.name];
        return needed ? { ...tool, scopes: needed } : tool;
      }),
      resources: manifest.resources.map((resource) => ({ ...resource, scopes: ["admin"] })),
      prompts: manifest.prompts.map((prompt) => ({ ...prompt, scopes: ["admin"] })),
    },
  };
}

interface Answer {
  status: number;
  challenge: string | null;
  body: { result?: Record<string, unknown>; error?: { message: string; data?: unknown } };
}

async function send(
  handle: HttpHandler,
  scope: string,
  method: string,
  params: object,
  accept = "application/json, text/event-stream",
  client = "client",
): Promise<Answer> {
  const message = {
    jsonrpc: "2.0" as const,
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: client, version: "1.0.0" },
      },
    },
  };
  const authorization = `Bearer ${await issuer.token(RESOURCE, { scope })}`;
  const headers = { ...headersFor(message), accept, authorization };
  const response = await handle(
    new Request(RESOURCE, { method: "POST", headers, body: JSON.stringify(message) }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    body: (isJson ? JSON.parse(text) : {}) as Answer["body"],
  };
}

const add = { name: "add", arguments: { a: 1, b: 2 } };

describe("over HTTP", () => {
  let handle: HttpHandler;
  beforeEach(() => {
    handle = createHttpHandler(quietServer(application()));
  });

  test.each(["read", "write", "admin", "other admin"])(
    "a caller with `%s` may do what `read` allows",
    async (scope) => {
      expect((await send(handle, scope, "tools/call", add)).status).toBe(200);
    },
  );

  test.each(["application/json, text/event-stream", "text/event-stream"])(
    "a client that accepts %s and lacks a scope receives a challenge that names the scope",
    async (accept) => {
      const { status, challenge } = await send(handle, "audit", "tools/call", add, accept);
      expect(status).toBe(403);
      expect(challenge).toBe(
        'Bearer error="insufficient_scope", error_description="This request needs the scope `read`, which the caller was ' +
          `not granted.", scope="read", resource_metadata="${METADATA}"`,
      );
    },
  );

  describe("in OpenAI's dialect", () => {
    const challenge = expect.stringMatching(
      /^Bearer error="insufficient_scope".* scope="read", resource_metadata=/,
    ) as string;
    const accept = "application/json";
    beforeEach(() => {
      handle = createHttpHandler(quietServer(application({ dialects: ["openai"] })));
    });

    test("ChatGPT receives the challenge in the result of the tool", async () => {
      const { status, body } = await send(handle, "audit", "tools/call", add, accept, "openai-mcp");
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        isError: true,
        content: [{ text: "This request needs the scope `read`, which the caller was not granted." }],
        _meta: { "mcp/www_authenticate": [challenge] },
      });
    });

    test("every client except ChatGPT receives the HTTP status that the specification requires", async () => {
      const answer = await send(handle, "audit", "tools/call", add, accept, "claude-ai");
      expect(answer).toMatchObject({ status: 403, challenge });
    });
  });

  test("one challenge names all scopes of the operation, including those present", async () => {
    const { challenge, body } = await send(handle, "audit", "tools/call", {
      name: "conditions",
      arguments: { city: "Oslo" },
    });
    expect(challenge).toContain('scope="write audit"');
    expect(body.error?.message).toBe(
      "This request needs the scope `write`, which the caller was not granted.",
    );
    expect(body.error?.data).toEqual({ scopes: ["write", "audit"] });
  });

  test("scopes are checked before the arguments", async () => {
    expect((await send(handle, "", "tools/call", { name: "add", arguments: { a: "x" } })).status).toBe(403);
  });

  test("resources and prompts require their scopes", async () => {
    const uri = "data://table";
    const name = application().manifest.prompts[0]?.definition.name;
    expect((await send(handle, "write", "resources/read", { uri })).status).toBe(403);
    expect((await send(handle, "admin", "resources/read", { uri })).body.result).toBeDefined();
    expect((await send(handle, "write", "prompts/get", { name, arguments: {} })).status).toBe(403);
  });

  test("completion for resources and prompts requires their scopes", async () => {
    const params = { ref: { type: "ref/prompt", name: "plan" }, argument: { name: "mood", value: "" } };
    expect((await send(handle, "write", "completion/complete", params)).status).toBe(403);
    expect((await send(handle, "admin", "completion/complete", params)).body.result).toMatchObject({
      completion: { values: ["calm", "busy"] },
    });
  });

  test("lists contain entries that need a scope", async () => {
    const { body } = await send(handle, "", "tools/list", {});
    const tools = body.result?.["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name)).toContain("add");
  });

  test("the metadata names all required scopes", async () => {
    const metadata = (await (await handle(new Request(METADATA))).json()) as { scopes_supported: string[] };
    expect(metadata.scopes_supported).toEqual(["admin", "audit", "read", "write"]);
  });

  test("an older client's challenge includes the scopes it has", async () => {
    const authorization = `Bearer ${await issuer.token(RESOURCE, { scope: "audit" })}`;
    const post = (message: object, session = {}) =>
      handle(
        new Request(RESOURCE, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            authorization,
            ...session,
          },
          body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        }),
      );
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const opened = await post({ id: 1, method: "initialize", params });
    await opened.text();
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const rejected = await post({ id: 2, method: "tools/call", params: add }, session);
    expect(rejected.status).toBe(403);
    expect(rejected.headers.get("www-authenticate")).toContain('scope="audit read"');
    await rejected.text();
    // The session continues with a token that has more scopes.
    const stepped = {
      authorization: `Bearer ${await issuer.token(RESOURCE, { scope: "audit read" })}`,
      ...session,
    };
    expect((await post({ id: 3, method: "tools/call", params: add }, stepped)).status).toBe(200);
  });
});

describe("without an HTTP status", () => {
  const uri = "data://table";
  const reader = { subject: "ada", scopes: ["read"] };
  const admin = { subject: "ada", scopes: ["admin"] };

  test("a subscription to a resource requires its scopes", async () => {
    const server = quietServer(application());
    const revision = "2025-11-25";
    const rejected = await connect(server, { revision, principal: reader });
    await expect(rejected.request("resources/subscribe", { uri })).rejects.toThrow("needs the scope `admin`");
    const allowed = await connect(server, { revision, principal: admin });
    expect(await allowed.request("resources/subscribe", { uri })).toEqual({});
  });

  test.each([
    [reader, []],
    [admin, [uri]],
  ])("%o receives the resources it will be notified of", async (principal, granted) => {
    const client = await connect(quietServer(application()), { revision: "2026-07-28", principal });
    void client.request("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } });
    await expect
      .poll(() => client.notifications.map(({ params }) => params?.["notifications"]))
      .toEqual([{ resourceSubscriptions: granted }]);
  });

  test("a task requires the scopes of its tool, whichever token its owner uses", async () => {
    const { manifest, ...rest } = createTasksFixture();
    const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
    const server = quietServer({ ...rest, manifest: { ...manifest, tools } });
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    const owner = await connect(server, { capabilities, principal: admin });
    const other = await connect(server, { capabilities, principal: reader });
    const { taskId } = await owner.request("tools/call", { name: "compute", arguments: { ms: 1 } });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      await expect(other.request(method, { taskId, inputResponses: {} })).rejects.toThrow(
        "needs the scope `admin`",
      );
    void other.request("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await expect
      .poll(() => other.notifications.map(({ params }) => params["notifications"]))
      .toEqual([{ taskIds: [] }]);
    expect(await owner.request("tasks/get", { taskId })).toMatchObject({ taskId });
  });

  test("`list` is called only for callers with the scopes of its template", async () => {
    const { manifest, ...rest } = application();
    const resourceTemplates = manifest.resourceTemplates.map((each) => ({ ...each, scopes: ["admin"] }));
    const server = quietServer({ ...rest, manifest: { ...manifest, resourceTemplates } });
    const listedFor = async (principal: PrincipalInput): Promise<string[]> =>
      (await (await connect(server, { principal })).listResources()).map(({ uri: each }) => each);
    expect(await listedFor(admin)).toEqual(expect.arrayContaining([uri, "note://1"]));
    expect(await listedFor(reader)).toContain(uri);
    expect(await listedFor(reader)).not.toContain("note://1");
  });

  test.each(["2025-11-25", "2026-07-28"])(
    "a tool's result names the missing scope at %s",
    async (revision) => {
      const server = quietServer(application());
      const client = await connect(server, { revision, principal: { subject: "ada", scopes: ["audit"] } });
      expect(await client.callTool("conditions", { city: "Oslo" })).toMatchObject({
        isError: true,
        content: [{ text: "This request needs the scope `write`, which the caller was not granted." }],
      });
      const allowed = await connect(server, {
        revision,
        principal: { subject: "ada", scopes: ["admin", "audit"] },
      });
      expect((await allowed.callTool("conditions", { city: "Oslo" })).isError).toBeUndefined();
      const nobody = await connect(server, { revision });
      expect((await nobody.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    },
  );
});
