/**
 * Attacks that have succeeded on other servers and must fail here. Some are tested closer to the code they concern;
 * `.github/SECURITY.md` lists them all.
 * @module
 */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterEach, describe, expect, test } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { describeTransports, LATEST, quietServer } from "../support/describe-transports.js";
import { headersFor } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";

const META = {
  "io.modelcontextprotocol/protocolVersion": LATEST,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const good = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "add", arguments: { a: 1, b: 2 }, _meta: META },
};
const BODY = JSON.stringify(good);
const HEAD = Object.entries({ host: "127.0.0.1", ...headersFor(good) })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");

let listener: Listener | undefined;
const sockets: Socket[] = [];
async function start(): Promise<Listener> {
  listener = await listen(quietServer(createFixture()), { port: 0 });
  return listener;
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close();
  listener = undefined;
});

async function open({ port }: Listener): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Sends text over its own connection, and returns everything that the server sends until it closes. */
async function raw(given: Listener, text: string): Promise<string> {
  const socket = await open(given);
  socket.end(text, "latin1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    answer += chunk;
  });
  if (!socket.closed) await once(socket, "close");
  return answer;
}

async function expectGoodAnswer({ url }: Listener): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers: headersFor(good), body: BODY });
  expect(await answer.json()).toMatchObject({ id: 1, result: { structuredContent: 3 } });
}

const post = (more: string, body = BODY): string => `POST /mcp HTTP/1.1\r\n${HEAD}${more}\r\n${body}`;
const chunk = `${BODY.length.toString(16)}\r\n${BODY}\r\n`;
const length = `Content-Length: ${BODY.length}\r\n`;

describe("a request whose framing a proxy may read differently", () => {
  test.each([
    ["a length and chunks", post(`${length}Transfer-Encoding: chunked\r\n`, `${chunk}0\r\n\r\n`)],
    ["two lengths", post(`${length}Content-Length: 3\r\n`)],
    ["a length with a sign", post(`Content-Length: +${BODY.length}\r\n`)],
    ["a length in hexadecimal", post(`Content-Length: 0x${BODY.length.toString(16)}\r\n`)],
    ["an unknown transfer coding last", post("Transfer-Encoding: chunked, x\r\n", `${chunk}0\r\n\r\n`)],
    ["two transfer codings", post("Transfer-Encoding: chunked, chunked\r\n", `${chunk}0\r\n\r\n`)],
    [
      "a chunk size that is not a number",
      post("Transfer-Encoding: chunked\r\n", `zz\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    ["a chunk size with a sign", post("Transfer-Encoding: chunked\r\n", `-1\r\n${BODY}\r\n0\r\n\r\n`)],
    ["a chunk longer than its size", post("Transfer-Encoding: chunked\r\n", `1\r\n${BODY}\r\n0\r\n\r\n`)],
    [
      "endless chunk extensions",
      post("Transfer-Encoding: chunked\r\n", `1;${"x".repeat(40_000)}\r\n{\r\n0\r\n\r\n`),
    ],
    ["a space before a colon", post(`Content-Length : ${BODY.length}\r\n`)],
    ["a folded header", post(`X-Folded: a\r\n b\r\n${length}`)],
    ["a null in a header", post(`X-Null: a\0b\r\n${length}`)],
    ["endless headers", post(`X-Long: ${"x".repeat(40_000)}\r\n${length}`)],
    ["no Host", `POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n${length}\r\n${BODY}`],
    ["an invalid method", `P\0ST /mcp HTTP/1.1\r\n${HEAD}${length}\r\n${BODY}`],
  ])("with %s is rejected, and the connection closed", async (_, text) => {
    const given = await start();
    const answer = await raw(given, text);
    expect(answer).not.toMatch(/^HTTP\/1\.1 [25]\d\d /m);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain("structuredContent");
    await expectGoodAnswer(given);
  });
});

describe("clients that do not finish", () => {
  test("do not delay others, even hundreds of broken and slow uploads", async () => {
    const given = await start();
    const slow = await Promise.all(Array.from({ length: 200 }, () => open(given)));
    for (const socket of slow) socket.write(`POST /mcp HTTP/1.1\r\n${HEAD}${length}\r\n${BODY.slice(0, 9)}`);
    for (let round = 0; round < 6; round++) {
      const broken = await Promise.all(Array.from({ length: 50 }, () => open(given)));
      for (const [index, socket] of broken.entries()) {
        socket.write(post(length).slice(0, 20 + 9 * index));
        await nextTurn();
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      }
      await expectGoodAnswer(given);
    }
    expect(given.endpoint.pending).toBe(0);
    // The slow requests receive a response after they end.
    const answers = slow.map((socket) => once(socket, "data"));
    for (const socket of slow) socket.write(BODY.slice(9));
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toContain("structuredContent");
  });

  test.each(["with its length", "in chunks"])(
    "receive 413 for a body of 64 MiB before it is buffered, sent %s",
    async (how) => {
      const given = await start();
      const mib = Buffer.alloc(1024 * 1024, "x");
      const isAnnounced = how === "with its length";
      const socket = await open(given);
      let answer = "";
      socket.on("data", (part) => {
        answer += String(part);
      });
      socket.write(
        post(isAnnounced ? `Content-Length: ${64 * mib.length}\r\n` : "Transfer-Encoding: chunked\r\n", ""),
      );
      collectGarbage();
      const before = process.memoryUsage().arrayBuffers;
      for (let sent = 0; sent < 64 && !socket.closed; sent++) {
        if (!isAnnounced) socket.write("100000\r\n");
        const isTaken = socket.write(mib);
        if (!isTaken) {
          await new Promise((resolve) => {
            socket.once("drain", resolve).once("close", resolve);
          });
        }
        if (!isAnnounced) socket.write("\r\n");
      }
      await expect.poll(() => answer !== "" || socket.closed).toBe(true);
      // A client that continues to write may find the connection closed before it reads the response.
      expect(answer).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
      // Data that was read and discarded may not have been garbage-collected yet.
      collectGarbage();
      // The 4 MiB of the limit, and the bytes in transit.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * mib.length);
      await expectGoodAnswer(given);
    },
  );
});

/** Members of every object, and names that look like others. */
const INTERNALS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "add\u0000",
  "Add",
  " add",
];

describeTransports(
  createFixture,
  (openClient) => {
    test.each(INTERNALS)("%j is not the name of a tool, prompt, resource, or method", async (name) => {
      const client = await openClient();
      expect(await client.error("tools/call", { name })).toMatchObject({ code: -32602 });
      expect(await client.error("prompts/get", { name })).toMatchObject({ code: -32602 });
      expect(await client.error("resources/read", { uri: name })).toMatchObject({ code: -32602 });
      expect(await client.error("tasks/get", { taskId: name })).not.toMatchObject({ code: -32603 });
      expect(await client.error(name)).toMatchObject({ code: -32601 });
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });

    test.each([
      ["Method", "ping"],
      ["METHOD", "ping"],
      ["method\u0000", "ping"],
      [" method", "ping"],
      ["Params", { name: "fail", arguments: { how: "tool" } }],
      ["params\u0000", { name: "fail" }],
      ["ID", 99],
      ["id\u0000", 99],
      ["__proto__", { method: "ping", id: 99 }],
      ["constructor", { prototype: { method: "ping" } }],
    ])("a member %j cannot replace another", async (name, value) => {
      const client = await openClient();
      const before = { [name]: value, ...good, id: "look" };
      const after = { ...good, id: "look", [name]: value };
      for (const message of [before, after]) {
        const text = JSON.stringify(message).replace(
          '"__proto__":{}',
          `"__proto__":${JSON.stringify(value)}`,
        );
        expect(await client.sendText(text)).toMatchObject({ id: "look", result: { structuredContent: 3 } });
      }
    });
  },
  ["memory"],
);

describe("a server", () => {
  const sources = join(import.meta.dirname, "../../packages/runtime/src");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );

  test("fetches only what `auth` names and files that clients send: no schema, no address in a header", () => {
    // URLs that the examples of docstrings fetch are not checked.
    const fetching = files.filter((file) =>
      /(?<![\w.#])fetch\(|\b(?:https?\.)?request\(\{|"node:https"/.test(
        readFileSync(join(sources, file), "utf8").replaceAll(/^ *\*.*$/gm, ""),
      ),
    );
    expect(fetching.toSorted()).toEqual(["access/auth/tokens/fetch-json.ts", "access/download/download.ts"]);
  });

  test("starts no program", () => {
    const starting = files.filter((file) => /child_process/.test(readFileSync(join(sources, file), "utf8")));
    expect(starting).toEqual([]);
  });
});
