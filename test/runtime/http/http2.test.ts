/**
 * Streamable HTTP on a server of `node:http2`, which clients reach directly or through a proxy.
 */
import { once } from "node:events";
import { connect, createServer as createHttp2Server, type ClientHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { createNodeHandler } from "@tenon/runtime/node";
import { routes } from "@tenon/runtime/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { eventually } from "../../support/eventually.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { ADDRESS_CALL } from "../fixture/address-call.js";
import { createFixture } from "../fixture/application.js";

const server = quietServer(
  createFixture({
    limits: { maxBodyBytes: 2000 },
    http: { routes: routes({ "GET /url": (request) => new Response(request.url) }) },
  }),
);
const http = createHttp2Server(createNodeHandler(server));
let client: ClientHttp2Session;
beforeAll(async () => {
  await once(http.listen(0, "127.0.0.1"), "listening");
  client = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
afterAll(() => {
  client.destroy();
  http.close();
});

const call = (name: string, args: object): WireMessage => {
  const { params, ...rest } = ADDRESS_CALL;
  return { ...rest, params: { ...params, name, arguments: args } };
};

async function send(
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: unknown; text: string }> {
  const stream = client.request(headers);
  stream.end(body);
  const [response] = (await once(stream, "response")) as [Record<string, unknown>];
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk as string;
  return { status: response[":status"], text };
}

const post = (message: WireMessage, headers: Record<string, string> = {}): ReturnType<typeof send> =>
  send({ ":method": "POST", ":path": "/mcp", ...headersFor(message), ...headers }, JSON.stringify(message));

describe("a server of node:http2", () => {
  test("serves calls, with the address of the caller", async () => {
    const { status, text } = await post(ADDRESS_CALL);
    expect(status).toBe(200);
    expect(text).toContain('"text":"127.0.0.1"');
    const { text: total } = await post(call("total", { label: "sum", numbers: [1, 2] }));
    expect(total).toContain("sum: 3");
  });

  test("serves the next request on a connection after a body that is too large", async () => {
    expect((await post(call("lenient", { city: "x".repeat(3000) }))).status).toBe(413);
    expect((await post(ADDRESS_CALL)).status).toBe(200);
  });

  test("rejects hosts that are not allowed, and requests with two different hosts", async () => {
    expect((await post(ADDRESS_CALL, { ":authority": "evil.example" })).status).toBe(403);
    expect((await post(ADDRESS_CALL, { ":authority": "localhost", host: "127.0.0.1" })).status).toBe(400);
  });

  test("serves routes", async () => {
    const { text } = await send({ ":path": "/url", ":authority": "localhost:80" });
    expect(text).toBe("http://localhost/url");
  });

  test("aborts a call whose client disconnects", async () => {
    const message = call("wait", {});
    const stream = client.request({ ":method": "POST", ":path": "/mcp", ...headersFor(message) });
    stream.on("error", () => {});
    stream.end(JSON.stringify(message));
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    stream.close();
    await eventually(async () => {
      expect((await post(call("aborted", {}))).text).toContain('"structuredContent":1');
    });
  });
});
