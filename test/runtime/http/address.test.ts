/**
 * The address of a client: the remote address of the connection, or the one that trusted proxies report.
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
import { ADDRESS_CALL } from "../fixture/address-call.js";
import { createFixture } from "../fixture/application.js";

let listener: Listener | undefined;
afterEach(() => listener?.close());

const getText = (message: WireMessage): unknown =>
  (message.result?.["content"] as { text: string }[] | undefined)?.[0]?.text;

/** Returns the address of a call from a peer to a server that trusts these proxies. */
async function findAddress(
  trustedProxies: TrustedProxies | undefined,
  peer: string | undefined,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const server = quietServer(createFixture(trustedProxies && { http: { trustedProxies } }));
  const handle = createHttpHandler(server, { address: () => peer });
  const init = {
    method: "POST",
    headers: { ...headersFor(ADDRESS_CALL), ...headers },
    body: JSON.stringify(ADDRESS_CALL),
  };
  const response = await handle(new Request("http://localhost/mcp", init));
  return getText((await response.json()) as WireMessage);
}

const list = ["loopback", "10.0.0.0/8"];
const standard = { addresses: list, header: "forwarded" } as const;

describe("the address of a caller", () => {
  test("is that of the connection", async () => {
    listener = await listen(quietServer(createFixture()), { port: 0 });
    const request = httpRequest(listener.url, {
      method: "POST",
      headers: {
        ...headersFor(ADDRESS_CALL),
        "x-forwarded-for": "203.0.113.9",
        forwarded: "for=203.0.113.9",
      },
    });
    request.end(JSON.stringify(ADDRESS_CALL));
    const [response] = (await once(request, "response")) as [AsyncIterable<Buffer>];
    let text = "";
    for await (const chunk of response) text += chunk.toString();
    expect(getText(JSON.parse(text) as WireMessage)).toBe("127.0.0.1");
  });

  test("is undefined without a connection, and in tests that specify none", async () => {
    for (const revision of [LATEST, LATEST_LEGACY]) {
      const client = await connect(quietServer(createFixture()), { revision });
      expect((await client.callTool("address")).content).toEqual([{ type: "text", text: "nowhere" }]);
      const remote = await connect(quietServer(createFixture()), { revision, address: "192.0.2.1" });
      expect((await remote.callTool("address")).content).toEqual([{ type: "text", text: "192.0.2.1" }]);
    }
    expect(await findAddress(list, undefined, { "x-forwarded-for": "203.0.113.9" })).toBe("nowhere");
    expect(await findAddress(list, "a-socket", { "x-forwarded-for": "203.0.113.9" })).toBe("nowhere");
  });

  test.each<[string, TrustedProxies | undefined, string, Record<string, string>, string]>([
    // [what, trusted, peer, headers, address]
    ["no proxy is trusted", undefined, "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, "127.0.0.1"],
    ["the list is empty", [], "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }, "127.0.0.1"],
    ["an untrusted peer sends the header", list, "192.0.2.1", { "x-forwarded-for": "10.0.0.1" }, "192.0.2.1"],
    ["a proxy names it", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9" }, "203.0.113.9"],
    ["a proxy sends no header", list, "10.1.2.3", {}, "10.1.2.3"],
    [
      "the caller sent the header before the proxy",
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
    ["every hop is trusted", list, "127.0.0.1", { "x-forwarded-for": "10.0.0.9, 10.0.0.2" }, "10.0.0.9"],
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
    ["the hop has brackets", list, "10.1.2.3", { "x-forwarded-for": "[2001:db8::9]" }, "2001:db8::9"],
    [
      "the hop has brackets and a port",
      list,
      "10.1.2.3",
      { "x-forwarded-for": "[2001:db8::9]:4711" },
      "2001:db8::9",
    ],
    ["the hop is malformed", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9, <script>" }, "10.1.2.3"],
    ["the hop is unknown", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9, unknown" }, "10.1.2.3"],
    ["the hop is empty", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.9," }, "10.1.2.3"],
    ["the hop is almost an address", list, "10.1.2.3", { "x-forwarded-for": "203.0.113.09" }, "10.1.2.3"],
    ["the list has only commas", list, "10.1.2.3", { "x-forwarded-for": ",".repeat(8000) }, "10.1.2.3"],
    [
      "all private networks are trusted",
      ["private"],
      "fd12::1",
      { "x-forwarded-for": "8.8.8.8, 192.168.1.1" },
      "8.8.8.8",
    ],
    [
      "this machine does not count as a private network",
      ["private"],
      "127.0.0.1",
      { "x-forwarded-for": "8.8.8.8" },
      "127.0.0.1",
    ],
    [
      "only the header that is not trusted is present",
      list,
      "10.1.2.3",
      { forwarded: "for=203.0.113.9" },
      "10.1.2.3",
    ],
    [
      "only X-Forwarded-For is present",
      standard,
      "10.1.2.3",
      { "x-forwarded-for": "203.0.113.9" },
      "10.1.2.3",
    ],
    ["Forwarded names it", standard, "10.1.2.3", { forwarded: "for=203.0.113.9;proto=https" }, "203.0.113.9"],
    [
      "Forwarded names it in IPv6",
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
      "the caller left a quotation mark open",
      standard,
      "10.1.2.3",
      { forwarded: 'for="198.51.100.1, for=203.0.113.9' },
      "203.0.113.9",
    ],
    [
      "Forwarded has empty parameters",
      standard,
      "10.1.2.3",
      { forwarded: ";for=203.0.113.9;; proto=https;" },
      "203.0.113.9",
    ],
    [
      "Forwarded is not a list of parameters",
      standard,
      "10.1.2.3",
      { forwarded: "for=203.0.113.9;!" },
      "10.1.2.3",
    ],
    [
      "a client fills Forwarded with commas",
      standard,
      "10.1.2.3",
      { forwarded: `${",".repeat(8000)}for=203.0.113.9` },
      "203.0.113.9",
    ],
    [
      "Forwarded has a comma in a host that the client chose",
      standard,
      "10.1.2.3",
      { forwarded: 'for=203.0.113.9;host="a, for=198.51.100.1;b="' },
      "203.0.113.9",
    ],
    [
      "Forwarded has a parameter in a host that the client chose",
      standard,
      "10.1.2.3",
      { forwarded: 'host="a;for=198.51.100.1;b=";for=203.0.113.9' },
      "203.0.113.9",
    ],
    [
      "Forwarded has escaped quotation marks",
      standard,
      "10.1.2.3",
      { forwarded: String.raw`for=203.0.113.9;host="a\", for=198.51.100.1;b=\\", for=10.0.0.2` },
      "203.0.113.9",
    ],
    ["Forwarded is malformed", standard, "10.1.2.3", { forwarded: 'for=203.0.113.9 host="a"' }, "10.1.2.3"],
    ["Forwarded hides it", standard, "10.1.2.3", { forwarded: "for=198.51.100.1, for=_hidden" }, "10.1.2.3"],
    ["Forwarded hides the port", standard, "10.1.2.3", { forwarded: 'for="203.0.113.9:_p"' }, "203.0.113.9"],
    ["Forwarded has no address", standard, "10.1.2.3", { forwarded: "proto=https" }, "10.1.2.3"],
  ])("is determined when %s", async (_, trusted, peer, headers, address) => {
    expect(await findAddress(trusted, peer, headers)).toBe(address);
  });

  test("is passed to `http.principal`, too", async () => {
    const seen: unknown[] = [];
    const principal = ({ address }: { address: string | undefined }): undefined => void seen.push(address);
    const handle = createHttpHandler(quietServer(createFixture({ http: { principal } })), {
      address: (request, peer: string) => peer,
      trustedProxies: ["loopback"],
    });
    await handle(new Request("http://localhost/mcp", { headers: { "x-forwarded-for": "192.0.2.7" } }), "::1");
    expect(seen).toEqual(["192.0.2.7"]);
  });

  test("belongs to each message of clients that post them", async () => {
    const server = quietServer(createFixture({ http: { trustedProxies: list } }));
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
    expect(getText(JSON.parse(await next()) as WireMessage)).toBe("203.0.113.9");
    await handle.close();
  });
});

describe("the warning about an undeclared proxy", () => {
  const forwarded = { "x-forwarded-for": "203.0.113.9" };

  test.each<[string, TrustedProxies | undefined, string | undefined, Record<string, string>, number]>([
    ["is logged once", undefined, undefined, forwarded, 1],
    ["is not logged without a proxy's header", undefined, undefined, {}, 0],
    ["is not logged if the configuration trusts no proxy", [], "10.0.0.1", forwarded, 0],
    ["is logged for another proxy of the network", ["10.0.0.1"], "10.0.0.2", forwarded, 1],
    ["is logged for another proxy on the host", ["10.0.0.1"], "::1", forwarded, 1],
    ["is not logged for a trusted proxy", ["10.0.0.1"], "::ffff:10.0.0.1", forwarded, 0],
    ["is not logged for a client that writes the header itself", ["10.0.0.1"], "203.0.113.1", forwarded, 0],
    ["is not logged if nothing connects", ["10.0.0.1"], undefined, forwarded, 0],
    ["is not logged for a header that is not read", standard, "172.16.0.1", forwarded, 0],
    ["is logged for `Forwarded`", standard, "172.16.0.1", { forwarded: "for=203.0.113.9" }, 1],
  ])("%s", async (_, trustedProxies, peer, headers, count) => {
    const log: { event: string; msg: string }[] = [];
    const http = trustedProxies === undefined ? {} : { trustedProxies };
    const handle = createHttpHandler(
      createServer(createFixture({ http, log: (entry) => void log.push(entry) })),
      { address: () => peer },
    );
    for (let each = 0; each < 3; each++) await handle(new Request("http://localhost/other", { headers }));
    expect(log.filter(({ msg }) => msg.includes("http.trustedProxies"))).toHaveLength(count);
  });
});

describe("trusted proxies", () => {
  test.each([
    [true, "http.trustedProxies must be a list of proxy addresses"],
    [1, "must be a list of proxy addresses"],
    ["loopback", "must be a list of proxy addresses"],
    [null, "must be a list of proxy addresses"],
    [{ header: "forwarded" }, "http.trustedProxies.addresses must be a list of strings"],
    [{ addresses: ["::1"], header: "x-real-ip" }, 'must be "x-forwarded-for" or "forwarded"'],
    [["proxy.local"], "is not an IP address"],
    [["10.0.0.0/33"], "is not an IP address"],
    [["10.0.0.0/"], "is not an IP address"],
    [["10.0.0/8"], "is not an IP address"],
    [["toString"], "is not an IP address"],
    [[8], "http.trustedProxies[0] must be a string"],
    [["0.0.0.0/0"], "matches every public address"],
    [["loopback", "::/0"], "matches every public address"],
    [["0.0.0.0/1", "128.0.0.0/1"], "matches every public address"],
    [["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"], "matches every public address"],
    [["2000::/3"], "matches every public address"],
    [["::ffff:0:0/96"], "matches every public address"],
  ])("cannot be %j", async (trustedProxies, problem) => {
    const create = () => quietServer(createFixture({ http: { trustedProxies: trustedProxies as never } }));
    expect(() => createHttpHandler(create())).toThrow(TypeError);
    await expect(async () => listen(create(), { port: 0 })).rejects.toThrow(problem);
  });

  test("come from the configuration and the command line", async () => {
    const server = quietServer(createFixture({ http: { trustedProxies: ["10.0.0.1"] } }));
    for (const peer of ["10.0.0.1", "10.0.0.2"]) {
      const handle = createHttpHandler(server, { address: () => peer, trustedProxies: ["10.0.0.2"] });
      const headers = { ...headersFor(ADDRESS_CALL), "x-forwarded-for": "203.0.113.9" };
      const init = { method: "POST", headers, body: JSON.stringify(ADDRESS_CALL) };
      const response = await handle(new Request("http://localhost/mcp", init));
      expect(getText((await response.json()) as WireMessage)).toBe("203.0.113.9");
    }
  });
});
