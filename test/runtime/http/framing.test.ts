/**
 * Requests that a proxy before the server may understand in another way: byte by byte, since no client sends them.
 */
import { connect } from "node:net";
import { createNodeHandler, listen, type Listener } from "@tenon/runtime/node";
import { createServer as createHttpServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import { ADDRESS_CALL } from "../fixture/address-call.js";
import { createFixture } from "../fixture/application.js";

const BODY = JSON.stringify(ADDRESS_CALL);
const LENGTH = `Content-Length: ${BODY.length}`;
const HEADERS = Object.entries(headersFor(ADDRESS_CALL)).map(([name, value]) => `${name}: ${value}`);

let listener: Listener;
beforeAll(async () => {
  listener = await listen(quietServer(createFixture()), { port: 0 });
});
afterAll(() => listener.close());

/** Returns the statuses of all responses to these bytes. */
async function statuses(text: string): Promise<number[]> {
  const socket = connect(listener.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(text, "latin1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
    // What is served does not close the connection.
    if (answer.includes(" 200 ")) socket.end();
  });
  await new Promise((resolve) => socket.on("close", resolve));
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

const request = (headers: readonly string[], { line = "POST /mcp HTTP/1.1", body = BODY } = {}): string =>
  [line, ...headers, ...HEADERS, "", body].join("\r\n");

const HOST = "Host: localhost";
const ONE_TOO_MANY = Array.from({ length: 1000 }, (_, index) => `x${index}: y`);

describe("a request with", () => {
  test("unambiguous framing is served", async () => {
    expect(await statuses(request([HOST, LENGTH]))).toEqual([200]);
    expect(
      await statuses(request([HOST, LENGTH], { line: "POST http://LOCALHOST/mcp?x=1 HTTP/1.1" })),
    ).toEqual([200]);
    const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    expect(await statuses(request([HOST, "Transfer-Encoding: chunked"], { body: chunked }))).toEqual([200]);
  });

  test.each<[string, string]>([
    ["two lengths", request([HOST, LENGTH, "Content-Length: 5"])],
    ["a list of lengths", request([HOST, `Content-Length: ${BODY.length}, ${BODY.length}`])],
    ["a length with a sign", request([HOST, `Content-Length: +${BODY.length}`])],
    ["a length in hexadecimal", request([HOST, "Content-Length: 0x10"])],
    ["a length and chunks", request([HOST, LENGTH, "Transfer-Encoding: chunked"], { body: "0\r\n\r\n" })],
    [
      "chunks that are not last",
      request([HOST, "Transfer-Encoding: chunked, identity"], { body: "0\r\n\r\n" }),
    ],
    ["an unknown encoding", request([HOST, "Transfer-Encoding: xchunked"], { body: "0\r\n\r\n" })],
    ["a space before a colon", request([HOST, `Content-Length : ${BODY.length}`])],
    ["a header over two lines", request([HOST, "X-Folded: a", " b", LENGTH])],
    [
      "a bare line feed",
      request([`${HOST}\nX: y`, LENGTH]).replace("Host: localhost\n", "Host: localhost\n\r"),
    ],
    ["a null in a header", request([HOST, "X: a\0b", LENGTH])],
    ["chunks without a size", request([HOST, "Transfer-Encoding: chunked"], { body: "x\r\n\r\n" })],
    ["two Hosts", request([HOST, "Host: evil.example", LENGTH])],
    ["no Host", request([LENGTH])],
    ["two Authorizations", request([HOST, LENGTH, "Authorization: Bearer a", "Authorization: Bearer b"])],
    ["two types", request([HOST, LENGTH, "Content-Type: text/plain"])],
    [
      "a Host that is not that of its URL",
      request([HOST, LENGTH], { line: "POST http://evil.example/mcp HTTP/1.1" }),
    ],
    [
      "a Host that is not quite that of its URL",
      request([HOST, LENGTH], { line: "POST http://localhost:80/mcp HTTP/1.1" }),
    ],
    [
      "a Host that is only the user of its URL",
      request([HOST, LENGTH], { line: "POST http://localhost@evil.example/mcp HTTP/1.1" }),
    ],
  ])("%s is rejected", async (_, text) => {
    expect(await statuses(text)).toEqual([400]);
  });

  test("more headers than Node reads is rejected", async () => {
    // By Node 24 itself, with 431.
    const [status] = await statuses(request([HOST, LENGTH, ...ONE_TOO_MANY, "Origin: http://evil.example"]));
    expect(status).toBeOneOf([400, 431]);
  });

  test("headers that do not fit is rejected with 431", async () => {
    expect(await statuses(request([HOST, LENGTH, `X: ${"y".repeat(17_000)}`]))).toEqual([431]);
  });

  test.each([
    "//mcp",
    "/mcp/",
    "/mcp/.",
    "/./mcp",
    "/MCP",
    "/%6dcp",
    "/%6Dcp",
    "/mcp%00",
    "/mcp%20",
    "/mcp;x=1",
    "/healthz/../mcp",
    "/healthz/%2e%2e/mcp",
    "/..;/mcp",
    "http://localhost//mcp",
    "http://localhost/healthz/../mcp",
    "http://localhost/%6dcp",
    "foo:/mcp",
    "file:///mcp",
  ])("the target %s finds nothing", async (target) => {
    const found = await statuses(
      request([HOST, LENGTH, "Connection: close"], { line: `POST ${target} HTTP/1.1` }),
    );
    // Node itself rejects an invalid target.
    expect([[404], [400]]).toContainEqual(found);
  });

  test("a repeated header that must be unique is treated as missing", async () => {
    const twice = (name: string, value: string) =>
      request([HOST, LENGTH, `${name}: ${value}`, `${name}: ${value}`]);
    const closeAfter = (text: string) => text.replace("Host:", "Connection: close\r\nHost:");
    expect(await statuses(closeAfter(twice("Origin", "http://localhost")))).toEqual([403]);
    expect(await statuses(closeAfter(twice("Mcp-Method", "tools/call")))).toEqual([400]);
    expect(await statuses(closeAfter(twice("Content-Encoding", "identity")))).toEqual([415]);
  });
});

test("a mounted handler rejects ambiguous framing, too", async () => {
  const http = createHttpServer(createNodeHandler(quietServer(createFixture())));
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const own = listener;
  listener = { ...own, port: (http.address() as { port: number }).port };
  expect(await statuses(request([HOST, "Host: localhost", LENGTH]))).toEqual([400]);
  listener = own;
  http.closeAllConnections();
  http.close();
});
