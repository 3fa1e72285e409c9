import { request } from "node:http";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// Internal: the proxy of `dev` alone, in front of servers that behave badly.
import { createHttpProxy, type HttpProxy } from "../../packages/cli/src/dev/proxy/http-proxy.js";

/** Message of `tenon dev` about a project with errors. */
const PROBLEM = "src/secret.ts:1 const password = 7;";

let proxy: HttpProxy;
beforeEach(async () => {
  proxy = await createHttpProxy(0);
  await proxy.explain(PROBLEM);
});
afterEach(() => proxy.close());

async function send(
  headers: Record<string, string>,
  chunks: Iterable<string | Buffer> = ['{"jsonrpc":"2.0","id":1,"method":"ping"}'],
): Promise<{ status: number | undefined; text: string }> {
  const outgoing = request({ port: proxy.port, host: "127.0.0.1", method: "POST", path: "/mcp", headers });
  for (const chunk of chunks) if (!outgoing.write(chunk)) await once(outgoing, "drain");
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, text };
}

describe("tenon dev over HTTP, while the project has errors", () => {
  test.each([
    ["no Origin", {}],
    ["a Host with another port", { host: "localhost:1" }],
    ["a page of this machine", { origin: "http://localhost:5173" }],
  ])("shows them for %s", async (_, headers) => {
    const { status, text } = await send(headers as Record<string, string>);
    expect([status, JSON.parse(text)]).toMatchObject([503, { id: 1, error: { message: PROBLEM } }]);
  });

  test.each([
    ["a foreign Host, as after rebinding", { host: "evil.example" }],
    ["a Host that only begins like this machine", { host: "localhost.evil.example" }],
    ["a page of another origin", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["an Origin with user information", { origin: "https://localhost@evil.example" }],
  ])("hides them from %s", async (_, headers) => {
    const { status, text } = await send(headers as Record<string, string>);
    expect(status).toBe(403);
    expect(text).not.toContain("password");
  });

  test("bounds the size of request bodies", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const { status } = await send(
      {},
      Array.from({ length: 65 }, () => chunk),
    );
    expect(status).toBe(413);
  });
});
