/**
 * Conversations in which the n-th operation fails, for every n: no response is sent twice, none is lost that could be
 * sent, and the server continues or ends as it should.
 * @module
 */
import { once } from "node:events";
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from "node:net";
import { PassThrough, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listen, type Listener } from "@tenon/runtime/node";
import { serveStdio, type StdioTransport } from "@tenon/runtime/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LATEST, quietServer } from "../support/describe-transports.js";
import { headersFor } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";

const META = {
  "io.modelcontextprotocol/protocolVersion": LATEST,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request = (id: number, method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { ...params, _meta: { ...META, ...(params["_meta"] as object | undefined) } },
});
const book = (id: number) =>
  request(id, "tools/call", { name: "book", arguments: { city: `Oslo${id}`, days: 1 } });

/**
 * Requests of every kind: with an immediate or a later response, with several messages, with an error, with much text.
 */
const CONVERSATION = [
  request(1, "tools/list"),
  book(2),
  request(3, "tools/call", {
    name: "countdown",
    arguments: { steps: 3 },
    _meta: { progressToken: "p" },
  }),
  request(4, "tools/call", { name: "missing" }),
  request(5, "tools/call", { name: "big", arguments: { characters: 300_000 } }),
  book(6),
  request(7, "resources/read", { uri: "notes://today" }),
];
const IDS = CONVERSATION.map(({ id }) => id);

/** Returns the IDs of all responses in a text, repeated ones included. */
function findResponseIds(text: string): number[] {
  const messages = text.split("\n").flatMap((line) => {
    const json = line.replace(/^data: /, "");
    return json.startsWith("{") && json.endsWith("}") ? [JSON.parse(json) as { id?: number }] : [];
  });
  return messages.flatMap(({ id }) => id ?? []);
}

/** A stdout whose n-th write fails. */
class FaultyOutput extends Writable {
  text = "";
  #writes = 0;
  readonly #n: number;
  readonly #fault: "error" | "stall" | "end";

  constructor(n: number, fault: "error" | "stall" | "end") {
    // Whatever is written fills it.
    super({ highWaterMark: 1, decodeStrings: false });
    this.#n = n;
    this.#fault = fault;
  }

  override _write(text: string, _encoding: string, done: (error?: Error) => void): void {
    if (++this.#writes < this.#n || this.#fault === "stall") {
      this.text += text;
      if (this.#writes === this.#n) setTimeout(done, 20);
      else setImmediate(done);
    } else if (this.#fault === "error") {
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    } else {
      this.destroy();
    }
  }
}

describe("over stdio", () => {
  const open = (output: FaultyOutput): { input: PassThrough; transport: StdioTransport } => {
    const input = new PassThrough();
    return { input, transport: serveStdio(quietServer(createFixture()), { input, output }) };
  };
  const send = async (input: PassThrough): Promise<void> => {
    for (const message of CONVERSATION) {
      input.write(`${JSON.stringify(message)}\n`);
      await nextTurn();
    }
    input.end();
  };
  const N = Array.from({ length: 12 }, (_, index) => index + 1);

  test.each(N)("write %i loses no response if it is slow", async (n) => {
    const output = new FaultyOutput(n, "stall");
    const { input, transport } = open(output);
    await send(input);
    await transport.closed;
    expect(findResponseIds(output.text).toSorted()).toEqual(IDS);
  });

  test.each(N.flatMap((n) => [[n, "error"] as const, [n, "end"] as const]))(
    "write %i that fails with %s ends the conversation without a duplicate response",
    async (n, fault) => {
      const output = new FaultyOutput(n, fault);
      const { input, transport } = open(output);
      // A client that has stopped reading also stops writing.
      await send(input);
      await transport.closed;
      const answers = findResponseIds(output.text);
      expect(new Set(answers).size).toBe(answers.length);
      expect(IDS).toEqual(expect.arrayContaining(answers));
    },
  );

  const text = CONVERSATION.map((message) => `${JSON.stringify(message)}\n`).join("");
  test.each(Array.from({ length: 24 }, (_, index) => Math.floor((text.length * (index + 1)) / 24)))(
    "a failure of stdin after %i bytes loses no response to accepted requests",
    async (bytes) => {
      const output = new FaultyOutput(0, "stall");
      const { input, transport } = open(output);
      input.write(text.slice(0, bytes));
      await nextTurn();
      input.destroy(new Error("read EIO"));
      await transport.closed;
      const whole = text.slice(0, bytes).split("\n").length - 1;
      const answers = findResponseIds(output.text);
      // Requests after a response that fills stdout are accepted only when the client has read it.
      const accepted = Math.min(whole, IDS.indexOf(5) + 1);
      expect(answers.length).toBeGreaterThanOrEqual(accepted);
      expect(answers.toSorted()).toEqual(IDS.slice(0, answers.length));
    },
  );
});

describe("over HTTP", () => {
  let listener: Listener;
  let proxy: TcpServer;
  /** Bytes that connections through the proxy may carry before they are cut, in each direction. */
  const left = { up: Infinity, down: Infinity };
  beforeAll(async () => {
    listener = await listen(quietServer(createFixture()), { port: 0 });
    proxy = createTcpServer((client) => {
      const server = connect(listener.port, "127.0.0.1");
      const cut = (): void => {
        client.resetAndDestroy();
        server.resetAndDestroy();
      };
      const pass = (from: typeof client, to: typeof client, way: keyof typeof left): void => {
        from.on("error", cut).on("end", () => to.end());
        from.on("data", (chunk: Buffer) => {
          const part = chunk.subarray(0, Math.max(0, left[way]));
          left[way] -= chunk.length;
          to.write(part, () => {
            if (left[way] < 0) cut();
          });
        });
      };
      pass(client, server, "up");
      pass(server, client, "down");
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  afterAll(async () => {
    proxy.close();
    await listener.close();
  });

  /** Returns the response to a request through the proxy. */
  async function send(message: object): Promise<string> {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    const body = JSON.stringify(message);
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headersFor(message as never), connection: "close" },
        body,
      });
      return await answer.text();
    } catch {
      return "";
    }
  }

  test.each(
    (["up", "down"] as const).flatMap((way) =>
      Array.from({ length: 30 }, (_, index) => [way, 1 + index * 37] as const),
    ),
  )("a connection that is cut %s after %i bytes leaves nothing behind", async (way, bytes) => {
    for (const message of [book(1), CONVERSATION[2] ?? book(1), request(2, "tools/list")]) {
      Object.assign(left, { up: Infinity, down: Infinity, [way]: bytes });
      const text = await send(message);
      expect(findResponseIds(text).length).toBeLessThanOrEqual(1);
    }
    Object.assign(left, { up: Infinity, down: Infinity });
    expect(await send(book(3))).toContain("Oslo3");
    await expect.poll(() => listener.endpoint.pending).toBe(0);
  });
});
