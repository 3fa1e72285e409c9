/**
 * From where a call comes: the far end of the connection, or what trusted proxies say.
 */
import { request as httpRequest } from "node:http";
import { once } from "node:events";
import type { TrustedProxies } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen, type Listener } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { createSseHandler } from "@tenon/runtime/sse";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import { CALL, createCallerTool } from "../fixture/caller-tool.js";

let listener: Listener | undefined;
afterEach(() => listener?.close());

const textOf = (message: WireMessage): unknown =>
  (message.result?.["content"] as { text: string }[] | undefined)?.[0]?.text;

/** The address that a call has at a server which trusts these proxies, from a peer with that address. */
async function addressOf(
  trustedProxies: TrustedProxies | undefined,
  peer: string | undefined,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const server = quietServer(createCallerTool(trustedProxies && { http: { trustedProxies } }));
  const handle = createHttpHandler(server, { address: () => peer });
  const init = { method: "POST", headers: { ...headersFor(CALL), ...headers }, body: JSON.stringify(CALL) };
  const response = await handle(new Request("http://localhost/mcp", init));
  return textOf((await response.json()) as WireMessage);
}

const list = ["loopback", "10.0.0.0/8"];
const standard = { addresses: list, header: "forwarded" } as const;

describe("the address of a caller", () => {
  test("is that of the connection", async () => {
    listener = await listen(quietServer(createCallerTool()), { port: 0 });
    const request = httpRequest(listener.url, {
      method: "POST",
      headers: { ...headersFor(CALL), "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" },
    });
    request.end(JSON.stringify(CALL));
    const [response] = (await once(request, "response")) as [AsyncIterable<Buffer>];
    let text = "";
    for await (const chunk of response) text += chunk.toString();
    expect(textOf(JSON.parse(text) as WireMessage)).toBe("127.0.0.1");
  });

  test("is not known where there is none, nor in tests that give none", async () => {
    for (const revision of [LATEST, LATEST_LEGACY]) {
      const client = await connect(quietServer(createCallerTool()), { revision });
      expect((await client.callTool("address")).content).toEqual([{ type: "text", text: "nowhere" }]);
      const remote = await connect(quietServer(createCallerTool()), { revision, address: "192.0.2.1" });
      expect((await remote.callTool("address")).content).toEqual([{ type: "text", text: "192.0.2.1" }]);
    }
    expect(await addressOf(list, undefined, { "x-forwarded-for": "203.0.113.9" })).toBe("nowhere");
    expect(await addressOf(list, "a-socket", { "x-forwarded-for": "203.0.113.9" })).toBe("nowhere");
  });

  test.each<[string, TrustedProxies | undefined, string, Record<string, string>, string]>([
    // [what, trusted, peer, headers, address]
    ["no proxy is trusted", undefined, "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, "127.0.0.1"],
    ["the list is empty", [], "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, "127.0.0.1"],
    ["somebody else claims to be a proxy", list, "192.0.2.1", { "x-forwarded-for": "10.0.0.1" }, "192.0.2.1"],
    ["a proxy says it", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9" }, "203.0.113.9"],
    ["a proxy says nothing", list, "10.1.2.3", {}, "10.1.2.3"],
    [
      "the caller has written the header before the proxy",
      list,
      "10.1.2.3",
      { "x-forwarded-for": "198.51.100.1, 127.0.0.1,203.0.113.9" },
      "203.0.113.9",
    ],
    [
      "several proxies are trusted",
      list,
      "127.0.0.1",
      { "x-forwarded-for": "198.51.100.1, 203.0.113.9 , 10.0.0.2" },
      "203.0.113.9",
    ],
    ["all hops are trusted", list, "127.0.0.1", { "x-forwarded-for": "10.0.0.9, 10.0.0.2" }, "10.0.0.9"],
    ["the proxy is in IPv6", ["::1"], "::1", { "x-forwarded-for": "2001:DB8:0::9" }, "2001:db8::9"],
    [
      "the proxy is IPv4 in IPv6",
      list,
      "::ffff:10.1.2.3",
      { "x-forwarded-for": "203.0.113.9" },
      "203.0.113.9",
    ],
    ["the hop is IPv4 in IPv6", list, "10.1.2.3", { "x-forwarded-for": "::FFFF:cb00:7109" }, "203.0.113.9"],
    ["the peer is IPv4 in IPv6", undefined, "::ffff:192.0.2.1", {}, "192.0.2.1"],
    ["the peer has a zone", undefined, "fe80::1%eth0", {}, "fe80::1"],
    ["the hop has a port", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9:4711" }, "203.0.113.9"],
    ["it has brackets", list, "10.1.2.3", { "x-forwarded-for": "[2001:db8::9]" }, "2001:db8::9"],
    ["it has both", list, "10.1.2.3", { "x-forwarded-for": "[2001:db8::9]:4711" }, "2001:db8::9"],
    ["the hop is junk", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9, <script>" }, "10.1.2.3"],
    ["it is not known", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9, unknown" }, "10.1.2.3"],
    ["it is empty", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9," }, "10.1.2.3"],
    ["it is no address quite", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.09" }, "10.1.2.3"],
    ["it is a list of nothing", list, "10.1.2.3", { "x-forwarded-for": ",".repeat(8000) }, "10.1.2.3"],
    [
      "all of a private network is trusted",
      ["private"],
      "fd12::1",
      { "x-forwarded-for": "8.8.8.8, 192.168.1.1" },
      "8.8.8.8",
    ],
    [
      "this machine is no private network",
      ["private"],
      "127.0.0.1",
      { "x-forwarded-for": "8.8.8.8" },
      "127.0.0.1",
    ],
    ["only the other header is there", list, "10.1.2.3", { forwarded: "for=203.0.113.9" }, "10.1.2.3"],
    ["only X-Forwarded-For is there", standard, "10.1.2.3", { "x-forwarded-for": "203.0.113.9" }, "10.1.2.3"],
    ["Forwarded says it", standard, "10.1.2.3", { forwarded: "for=203.0.113.9;proto=https" }, "203.0.113.9"],
    [
      "Forwarded says it in IPv6",
      standard,
      "10.1.2.3",
      { forwarded: 'by=10.1.2.3; For="[2001:db8::9]:4711"' },
      "2001:db8::9",
    ],
    [
      "several proxies add to Forwarded",
      standard,
      "10.1.2.3",
      { forwarded: "for=198.51.100.1, for=203.0.113.9, for=10.0.0.2" },
      "203.0.113.9",
    ],
    [
      "the caller has left a quotation mark open",
      standard,
      "10.1.2.3",
      { forwarded: 'for="198.51.100.1, for=203.0.113.9' },
      "203.0.113.9",
    ],
    ["Forwarded hides it", standard, "10.1.2.3", { forwarded: "for=198.51.100.1, for=_hidden" }, "10.1.2.3"],
    ["Forwarded hides the port", standard, "10.1.2.3", { forwarded: 'for="203.0.113.9:_p"' }, "203.0.113.9"],
    ["Forwarded has no address", standard, "10.1.2.3", { forwarded: "proto=https" }, "10.1.2.3"],
  ])("where %s", async (_, trusted, peer, headers, address) => {
    expect(await addressOf(trusted, peer, headers)).toBe(address);
  });

  test("is what `http.principal` gets, too", async () => {
    const seen: unknown[] = [];
    const principal = ({ address }: { address: string | undefined }): undefined => void seen.push(address);
    const handle = createHttpHandler(quietServer(createCallerTool({ http: { principal } })), {
      address: (request, peer: string) => peer,
      trustedProxies: ["loopback"],
    });
    await handle(new Request("http://localhost/mcp", { headers: { "x-forwarded-for": "192.0.2.7" } }), "::1");
    expect(seen).toEqual(["192.0.2.7"]);
  });

  test("is that of each message, for clients that post them", async () => {
    const server = quietServer(createCallerTool({ http: { trustedProxies: list } }));
    const handle = createSseHandler(server, { address: () => "10.0.0.1" });
    const stream = (await handle(new Request("http://localhost/sse"))).body;
    const events = (stream as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    const next = async (): Promise<string> => /data: (.*)/.exec((await events.read()).value ?? "")?.[1] ?? "";
    const url = `http://localhost${await next()}`;
    const post = (message: WireMessage): Promise<Response> =>
      handle(
        new Request(url, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
          body: JSON.stringify(message),
        }),
      );
    const clientInfo = { name: "test", version: "1" };
    await post({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo },
    });
    await next();
    await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "address", arguments: {} } });
    expect(textOf(JSON.parse(await next()) as WireMessage)).toBe("203.0.113.9");
    await handle.close();
  });
});

describe("a proxy of which nothing is said", () => {
  test.each<[string, TrustedProxies | undefined, Record<string, string>, number]>([
    ["is told of once", undefined, { "x-forwarded-for": "203.0.113.9" }, 1],
    ["is none where nothing shows it", undefined, {}, 0],
    ["is none where the configuration says so", [], { "x-forwarded-for": "203.0.113.9" }, 0],
  ])("%s", async (_, trustedProxies, headers, count) => {
    const log: { event: string; msg: string }[] = [];
    const http = trustedProxies === undefined ? {} : { trustedProxies };
    const handle = createHttpHandler(
      createServer(createCallerTool({ http, log: (entry) => void log.push(entry) })),
    );
    for (let each = 0; each < 3; each++) await handle(new Request("http://localhost/other", { headers }));
    expect(log.filter(({ msg }) => msg.includes("http.trustedProxies"))).toHaveLength(count);
  });
});

describe("proxies to trust", () => {
  test.each([
    [true, "must list the addresses of proxies"],
    [1, "must list the addresses of proxies"],
    ["loopback", "must list the addresses of proxies"],
    [null, "must list the addresses of proxies"],
    [{ header: "forwarded" }, "must list the addresses of proxies"],
    [{ addresses: ["::1"], header: "x-real-ip" }, 'must be "x-forwarded-for" or "forwarded"'],
    [["proxy.local"], "is no IP address"],
    [["10.0.0.0/33"], "is no IP address"],
    [["10.0.0.0/"], "is no IP address"],
    [["10.0.0/8"], "is no IP address"],
    [["toString"], "is no IP address"],
    [[8], "is no IP address"],
    [["0.0.0.0/0"], "trusts everybody"],
    [["loopback", "::/0"], "trusts everybody"],
  ])("cannot be %j", async (trustedProxies, problem) => {
    const server = quietServer(createCallerTool({ http: { trustedProxies: trustedProxies as never } }));
    expect(() => createHttpHandler(server)).toThrow(TypeError);
    await expect(listen(server, { port: 0 })).rejects.toThrow(problem);
  });

  test("are those of the configuration and of the command line", async () => {
    const server = quietServer(createCallerTool({ http: { trustedProxies: ["10.0.0.1"] } }));
    for (const peer of ["10.0.0.1", "10.0.0.2"]) {
      const handle = createHttpHandler(server, { address: () => peer, trustedProxies: ["10.0.0.2"] });
      const headers = { ...headersFor(CALL), "x-forwarded-for": "203.0.113.9" };
      const init = { method: "POST", headers, body: JSON.stringify(CALL) };
      const response = await handle(new Request("http://localhost/mcp", init));
      expect(textOf((await response.json()) as WireMessage)).toBe("203.0.113.9");
    }
  });
});
