/**
 * Links to files that are too large for a result.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LogEntry, ServerConfig } from "@tenon/runtime";
import { type FileLinkOptions, fileLinks } from "@tenon/runtime/files";
import { createHttpHandler } from "@tenon/runtime/http";
import { listen } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { REVISIONS } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { serverProgram } from "../support/server-program.js";
import { WireClient } from "../support/wire-client.js";
import { httpWire } from "../support/wires.js";
import { createFileServer } from "./files/application.js";
// Internal: its accounting while files are written.
import { FileStore } from "../../packages/runtime/src/transports/http/files/file-store.js";

const folder = mkdtempSync(join(tmpdir(), "tenon-file-links-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server over HTTP with links. */
interface Linked {
  client(revision?: string): Promise<WireClient>;
  /** Requests a link, whose origin differs from the address of the server. */
  get(link: string, init?: RequestInit): Promise<Response>;
}

let folders = 0;

async function openServer(
  options: Partial<FileLinkOptions> = {},
  config: ServerConfig = {},
): Promise<Linked & { stored: string }> {
  const stored = join(folder, String((folders += 1)));
  const links = fileLinks({ url: "https://mcp.example.com/files", folder: stored, ...options });
  const server = createServer(createFileServer({ log: "off", ...config, files: { links } }));
  const listener = await listen(server, { port: 0 });
  closers.push(async () => {
    await listener.close();
    await server.close();
  });
  return {
    stored,
    client: async (revision = "2026-07-28") => {
      const client = new WireClient(httpWire(listener.url, fetch), { revision });
      closers.push(() => client.close());
      await client.open();
      return client;
    },
    get: (link, init) => fetch(new URL(new URL(link).pathname + new URL(link).search, listener.url), init),
  };
}

interface Link {
  type: string;
  uri: string;
}

async function getLink(client: WireClient, size = 2_000_000): Promise<Link> {
  const { content } = (await client.call("large", { size })) as unknown as { content: [Link] };
  return content[0];
}

test.each(REVISIONS)("a file above the limit is a link at %s", async (revision) => {
  const { client, get } = await openServer();
  const { content } = await (await client(revision)).call("large", { size: 2_000_000 });
  const [block] = content as [Record<string, string>];
  if (revision >= "2025-06-18") {
    expect(block).toEqual({
      type: "resource_link",
      uri: expect.stringMatching(/^https:\/\/mcp\.example\.com\/files\?file=v1\./) as unknown,
      name: "large.bin",
      description: expect.stringMatching(/^Can be downloaded until \d{4}-/) as unknown,
      mimeType: "application/zip",
      size: 2_000_000,
    });
  }
  const [link = ""] = /https:\S+\?file=[\w.-]+/.exec(JSON.stringify(block)) ?? [];
  const response = await get(link);
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(2_000_000);
});

describe("a link", () => {
  test("downloads the file with its type and name, as an attachment", async () => {
    const { client, get } = await openServer({}, { limits: { maxEmbeddedFileBytes: 0 } });
    const path = join(folder, "small");
    writeFileSync(path, "content");
    const { content } = await (await client()).call("fromDisk", { path });
    const [{ uri }] = content as [Link];
    const response = await get(uri);
    expect(await response.text()).toBe("content");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-length": "7",
      "content-disposition": "attachment; filename*=UTF-8''a%27b%20%C3%BC.zip",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    const head = await get(uri, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "7", ""]);
  });

  test("needs no credentials, unlike calls", async () => {
    const { client, get } = await openServer();
    const { uri } = await getLink(await client());
    expect((await get(uri, { headers: { authorization: "Bearer nothing" } })).status).toBe(200);
  });

  test.each([
    ["no ticket", (link: string) => link.replace(/\?.*/, ""), 404],
    ["an invented ticket", (link: string) => link.replace(/v1\..*/, "v1.AAAA"), 404],
    ["a changed ticket", (link: string) => `${link.slice(0, -4)}AAAA`, 404],
    ["a path as its ticket", (link: string) => link.replace(/v1\..*/, "..%2F..%2Fetc%2Fpasswd"), 404],
  ])("is rejected with %s", async (_case, change, status) => {
    const { client, get } = await openServer();
    const { uri } = await getLink(await client());
    expect((await get(change(uri))).status).toBe(status);
  });

  test("is rejected by a server with other keys", async () => {
    const [one, other] = [await openServer(), await openServer()];
    const { uri } = await getLink(await one.client());
    expect((await other.get(uri)).status).toBe(404);
  });

  test("is accepted by another process with the same keys and folder", async () => {
    vi.stubEnv("TENON_STATE_KEYS", "k".repeat(32));
    const [one, other] = [
      await openServer({ folder: join(folder, "both") }),
      await openServer({ folder: join(folder, "both") }),
    ];
    const { uri } = await getLink(await one.client());
    expect((await other.get(uri)).status).toBe(200);
    vi.unstubAllEnvs();
  });

  test("is rejected by a server with the same keys and folder, but another name", async () => {
    vi.stubEnv("TENON_STATE_KEYS", "k".repeat(32));
    const options = { folder: join(folder, "servers") };
    const [one, other] = [await openServer(options), await openServer(options, { name: "other" })];
    const { uri } = await getLink(await one.client());
    expect((await other.get(uri)).status).toBe(404);
    expect((await one.get(uri)).status).toBe(200);
    vi.unstubAllEnvs();
  });

  test("accepts only GET and HEAD", async () => {
    const { client, get } = await openServer();
    const { uri } = await getLink(await client());
    const response = await get(uri, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("expires, and the next file deletes the expired one and no other file", async () => {
    const { client, get, stored } = await openServer({ lifetimeMs: 1000 });
    const wire = await client();
    const { uri } = await getLink(wire);
    const [name = ""] = readdirSync(stored);
    writeFileSync(join(stored, "notes.txt"), "kept");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    expect((await get(uri)).status).toBe(410);
    await getLink(wire);
    expect(readdirSync(stored)).toHaveLength(2);
    expect(readdirSync(stored)).not.toContain(name);
    expect(readdirSync(stored)).toContain("notes.txt");
  });

  test("responds with 404 after its file was deleted", async () => {
    const { client, get, stored } = await openServer();
    const { uri } = await getLink(await client());
    const [name = ""] = readdirSync(stored);
    rmSync(join(stored, name));
    expect((await get(uri)).status).toBe(404);
    // Nothing else under its name is served.
    symlinkSync(import.meta.filename, join(stored, name));
    expect((await get(uri)).status).toBe(404);
    rmSync(join(stored, name));
    mkdirSync(join(stored, name));
    expect((await get(uri)).status).toBe(404);
  });

  test("works in a server that is mounted as a web handler", async () => {
    const links = fileLinks({ url: "http://localhost/files", folder: join(folder, "web") });
    const server = createServer(createFileServer({ log: "off", files: { links } }));
    const handle = createHttpHandler(server);
    const client = new WireClient(
      httpWire("http://localhost/mcp", (url, init) => handle(new Request(url, init))),
      { revision: "2026-07-28" },
    );
    await client.open();
    const { uri } = await getLink(client);
    const response = await handle(new Request(uri));
    expect((await response.arrayBuffer()).byteLength).toBe(2_000_000);
    await client.close();
    await handle.close();
  });
});

describe("the folder", () => {
  const TWO_FILES = 4_000_000;
  const openFolder = (options: Partial<FileLinkOptions> = {}, log: LogEntry[] = []) =>
    openServer({ maxFolderBytes: TWO_FILES, ...options }, { log: (entry) => void log.push(entry) });
  const request = async (client: WireClient, size = 2_000_000): Promise<string> =>
    JSON.stringify(await client.call("large", { size }));

  test("has a maximum size, and the operator learns how to change it", async () => {
    const log: LogEntry[] = [];
    const { client, stored } = await openFolder({}, log);
    const wire = await client();
    for (const expected of ["resource_link", "resource_link", "isError"])
      expect(await request(wire)).toContain(expected);
    expect(await request(wire)).toContain(
      'The server has no space for the file \\"large.bin\\" (2 MB) until others expire. Try again later.',
    );
    expect(readdirSync(stored)).toHaveLength(2);
    expect(log.find(({ event }) => event === "tool-error")?.err?.message).toContain(
      "Increase `maxFolderBytes` of fileLinks()",
    );
  });

  test("has the same maximum for concurrent calls", async () => {
    const { client, stored } = await openFolder();
    const wire = await client();
    const results = await Promise.all(Array.from({ length: 6 }, () => request(wire)));
    expect(results.filter((each) => each.includes("resource_link"))).toHaveLength(2);
    expect(readdirSync(stored)).toHaveLength(2);
  });

  test("has space again after its files have expired", async () => {
    const { client } = await openFolder({ lifetimeMs: 1000 });
    const wire = await client();
    for (let count = 0; count < 2; count += 1) await request(wire);
    expect(await request(wire)).toContain("isError");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2000 });
    expect(await request(wire)).toContain("resource_link");
  });

  test("includes the files of other processes", async () => {
    const shared = join(folder, "shared");
    const [one, other] = [await openFolder({ folder: shared }), await openFolder({ folder: shared })];
    const [first, second] = [await one.client(), await other.client()];
    for (let count = 0; count < 2; count += 1) await request(first);
    expect(await request(second)).toContain("isError");
  });

  test("is used to its last byte by 50 concurrent files while expired files are deleted", async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = join(folder, `swept-${round}`);
      const store = new FileStore(path, 1000);
      const write = (size: number, lifetimeMs = 60_000): Promise<string> =>
        store.write(
          new Blob(["x".repeat(size)]),
          new Date(Date.now() + lifetimeMs),
          new AbortController().signal,
        );
      await write(500, 1);
      await setTimeout(5);
      // The large one makes the store delete the expired one, while there is space for some of the others.
      const large = write(600);
      const others = await Promise.allSettled(Array.from({ length: 50 }, () => write(8)));
      expect(others.filter(({ status }) => status === "rejected")).toEqual([]);
      await large;
      await expect(write(1)).rejects.toThrow("The files in");
      const sizes = readdirSync(path).map((name) => statSync(join(path, name)).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000);
    }
  });

  test("is not exceeded by 50 concurrent files, which the first of them measures and sweeps", async () => {
    const path = join(folder, "concurrent");
    const expiresAt = new Date(Date.now() + 60_000);
    const { signal } = new AbortController();
    await new FileStore(path, 1000).write(new Blob(["x".repeat(300)]), expiresAt, signal);
    const store = new FileStore(path, 1000);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => store.write(new Blob(["x".repeat(100)]), expiresAt, signal)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(readdirSync(path)).toHaveLength(8);
  });

  test("does not accept a file that is larger than the maximum", async () => {
    const { client } = await openFolder();
    expect(await request(await client(), 5_000_000)).toContain(
      'The file \\"large.bin\\" is 5 MB in size, but the server stores at most 4 MB.',
    );
    expect(await request(await client(), 4_000_001)).toContain("is 4,000,001 bytes in size");
  });
});

test("a file of 100 MB is stored and sent without being held in memory", { timeout: 120_000 }, async () => {
  const program = await serverProgram(join(import.meta.dirname, "files/serve-links.ts"));
  const server = fork(program, [join(folder, "sent")], { execArgv: ["--expose-gc"] });
  closers.push(async () => {
    const exited = once(server, "exit");
    server.kill();
    await exited;
  });
  const [url] = (await once(server, "message")) as [string];
  const wire = new WireClient(httpWire(url, fetch), { revision: "2026-07-28" });
  const download = async (size: number): Promise<number> => {
    const path = join(folder, `zeros-${size}`);
    writeFileSync(path, "");
    truncateSync(path, size);
    const { content } = await wire.call("fromDisk", { path });
    const [{ uri }] = content as [Link];
    // The tests' own `fetch` keeps a copy of every response, to check it.
    const request = get(new URL(new URL(uri).pathname + new URL(uri).search, url));
    const [response] = (await once(request, "response")) as [AsyncIterable<Uint8Array>];
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    return received;
  };
  const readPeak = async (): Promise<number> => {
    const replied = once(server, "message");
    server.send("peak");
    return ((await replied) as [number])[0];
  };
  expect(await download(2_000_000)).toBe(2_000_000);
  const before = await readPeak();
  expect(await download(100_000_000)).toBe(100_000_000);
  expect((await readPeak()) - before).toBeLessThan(40_000_000);
});

test("a client that disconnects during a download does not harm the server", async () => {
  const { client, get } = await openServer();
  const wire = await client();
  const { uri } = await getLink(wire, 50_000_000);
  const controller = new AbortController();
  const response = await get(uri, { signal: controller.signal });
  await response.body?.getReader().read();
  controller.abort();
  await eventually(async () => expect((await get(uri, { method: "HEAD" })).status).toBe(200));
});

test("without HTTP there are no links, and the error states the reason and the size", async () => {
  const links = fileLinks({ url: "https://mcp.example.com/files", folder: join(folder, "none") });
  const client = await connect(createServer(createFileServer({ log: "off", files: { links } })));
  expect(await client.callTool("large", { size: 2_000_000 })).toMatchObject({
    isError: true,
    content: [
      { text: 'The file "large.bin" is 2 MB in size, but a result may contain files of at most 1 MiB.' },
    ],
  });
  client.close();
});

test.each([
  [{ url: "files" }, "`url` must be a URL with a path"],
  [{ url: "https://mcp.example.com/" }, "`url` must be a URL with a path"],
  [{ url: "https://mcp.example.com/files?a=1" }, "`url` must be a URL with a path"],
  [{ url: "ftp://mcp.example.com/files" }, "`url` must be a URL with a path"],
  [{ folder: "" }, "`folder` must be the path of a folder"],
  [{ lifetimeMs: 0 }, "`lifetimeMs` must be a number of milliseconds"],
  [{ lifetimeMs: Infinity }, "`lifetimeMs` must be a number of milliseconds"],
  [{ maxFolderBytes: 0 }, "`maxFolderBytes` must be a number of bytes"],
  [{ maxFolderBytes: "1 GB" as never }, "`maxFolderBytes` must be a number of bytes"],
])("fileLinks rejects %j", (options, message) => {
  const valid = { url: "https://mcp.example.com/files", folder: "files" };
  expect(() => fileLinks({ ...valid, ...options })).toThrow(message);
});

test("a path that is taken, and links that `fileLinks` did not create, are rejected when the server starts", () => {
  const start = (files: ServerConfig["files"]) => () =>
    createHttpHandler(createServer(createFileServer({ files })));
  expect(start({ links: fileLinks({ url: "https://a.example/mcp", folder: "x" }) })).toThrow(
    "the path of MCP",
  );
  expect(start({ links: { url: "https://a.example/files" } })).toThrow("files.links must be `fileLinks");
});
