/** `--workers`: one port, several processes. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../../support/built-server.js";
import { eventually } from "../../support/eventually.js";
import { COMBINATIONS } from "../../scale/clients/official.mjs";
import { PooledServer } from "./pooled-server.js";
import { POOLED } from "./pooled-source.js";

let built: BuiltServer;
const servers: PooledServer[] = [];
beforeAll(async () => {
  built = await buildServer(POOLED);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => built.remove());

async function start(
  count = 2,
  env?: Record<string, string>,
): Promise<{ server: PooledServer; pids: number[] }> {
  const started = await PooledServer.start(built.program, count, env);
  servers.push(started.server);
  return started;
}

const EXITED = [0, null];

describe("--workers", () => {
  test("starts several processes that serve one port, in addition to the first", async () => {
    const { server, pids } = await start(3);
    expect(pids).not.toContain(server.child.pid);
    expect(server.log.match(/^loaded$/gm)).toHaveLength(3);
    expect(server.log.match(/listens on/g)).toHaveLength(1);
    expect(await server.get("/readyz")).toBe(200);
    server.kill("SIGTERM");
    expect(await server.end()).toEqual(EXITED);
    expect(server.log.match(/^desk 1\.2\.3 (?:stops: SIGTERM|has stopped)$/gm)).toHaveLength(2);
  });

  test("counts the calls of all processes together", async () => {
    const { server } = await start();
    const answers: string[] = [];
    for (let calls = 0; calls < 6; calls++) answers.push(await server.call("seldom"));
    expect(answers.map((text) => text.slice(0, 8))).toEqual([
      ...Array<string>(4).fill("Called."),
      "Too many",
      "Too many",
    ]);
  });

  test("serves a legacy session in whichever process receives the request", async () => {
    const { server } = await start();
    const clientInfo = { name: "test", version: "1.0.0" };
    const opened = await server.post({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    });
    const headers = { "mcp-session-id": opened.session ?? "", "mcp-protocol-version": "2025-11-25" };
    await server.post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers);
    const pids = new Set<string>();
    for (let id = 2; pids.size < 2; id++) {
      const params = { name: "where", arguments: {} };
      const { status, message } = await server.post(
        { jsonrpc: "2.0", id, method: "tools/call", params },
        headers,
      );
      expect(status).toBe(200);
      pids.add((message.result as { content: [{ text: string }] }).content[0].text);
    }
  });

  test.each(COMBINATIONS.map((each) => [each.name, each] as const))(
    "notifies the subscribers in every process of changes in another: %s",
    async (_, { connect }) => {
      const { server } = await start();
      const clients = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const client = await connect(new URL(server.url));
          await client.watch("note://1");
          return client;
        }),
      );
      const updates = (): number[] =>
        clients.map(({ heard }) => heard.filter(({ method }) => method.endsWith("resources/updated")).length);
      const touched: string[] = [];
      while (new Set(touched).size < 2) {
        touched.push(await server.call("touch"));
        const all = Array<number>(clients.length).fill(touched.length);
        await eventually(() => expect(updates()).toEqual(all));
      }
      await Promise.all(clients.map((client) => client.close()));
    },
  );

  test.each(COMBINATIONS.map((each) => [each.name, each] as const))(
    "delivers answers wherever they arrive: %s",
    async (_, { connect }) => {
      const { server } = await start();
      const accept = { action: "accept", content: { ok: true } };
      // The answers of each client come over other connections than its calls.
      const clients = await Promise.all(
        Array.from({ length: 4 }, () => connect(new URL(server.url), { answers: { elicit: () => accept } })),
      );
      const results = await Promise.all(clients.map((client) => client.call("ask")));
      for (const { structuredContent } of results)
        expect(Object.values(structuredContent).flat()).toHaveLength(2);
      await Promise.all(clients.map((client) => client.close()));
    },
  );

  const legacy = COMBINATIONS.filter(({ era }) => era === "legacy");
  test.each(legacy.map((each) => [each.name, each] as const))(
    "continues a call whose process is killed while it asks: %s",
    async (_, { connect }) => {
      const { server, pids } = await start();
      let asks = 0;
      const elicit = async (): Promise<object> => {
        if (asks++ === 0) {
          const pid = (await server.waitForOutput(/asking by \d+/)).split(" ").at(-1);
          expect(pids).toContain(Number(pid));
          process.kill(Number(pid), "SIGKILL");
          await server.waitForOutput(`replaces worker ${pid}`);
        }
        return { action: "accept", content: { ok: true } };
      };
      const client = await connect(new URL(server.url), { answers: { elicit } });
      const { structuredContent } = await client.call("ask");
      expect(Object.values(structuredContent).flat()).toHaveLength(2);
      expect(asks).toBe(2);
      await client.close();
    },
  );

  test("lets any process continue a call that asked a question in another process", async () => {
    const { server } = await start();
    const form = { elicitation: { form: {} } };
    const call = { name: "ask", arguments: {} };
    let { message } = await server.request("tools/call", call, form);
    for (const key of ["first", "second"]) {
      const { resultType, requestState } = message.result as { resultType: string; requestState: string };
      expect(resultType).toBe("input_required");
      const inputResponses = { [key]: { action: "accept", content: { ok: true } } };
      ({ message } = await server.request("tools/call", { ...call, inputResponses, requestState }, form));
    }
    expect(message.result).toMatchObject({ resultType: "complete" });
  });

  test("restarts a killed process without affecting the others", async () => {
    const { server, pids } = await start();
    const [victim = 0, other] = pids;
    process.kill(victim, "SIGKILL");
    const [replacing = ""] = [
      await server.waitForOutput(/worker \d+ replaces worker \d+, which was killed by SIGKILL/),
    ];
    expect(replacing).toContain(`replaces worker ${victim},`);
    expect(new Set(await server.pids(2))).toEqual(new Set([other, Number(/\d+/.exec(replacing)?.[0])]));
  });

  test("loses only the calls of a killed process", async () => {
    const { server, pids } = await start();
    const [victim = 0, other] = pids;
    // From now on, the process accepts nothing.
    process.kill(victim, "SIGSTOP");
    const calls = Array.from({ length: 5 }, () => server.call("where"));
    await eventually(async () => expect(await countSettled(calls)).toBeGreaterThanOrEqual(4));
    process.kill(victim, "SIGKILL");
    expect(await Promise.all(calls)).toEqual(Array(5).fill(String(other)));
  });

  test("restarts processes that exit by themselves, each time", async () => {
    const { server } = await start();
    for (let times = 1; times <= 3; times++) {
      await expect(server.call("fall")).rejects.toThrow();
      await eventually(() =>
        expect(server.log.match(/replaces worker \d+, which ended with exit code 3/g)).toHaveLength(times),
      );
    }
    server.kill("SIGTERM");
    expect(await server.end()).toEqual(EXITED);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("finishes accepted calls on %s", async (signal) => {
    const { server } = await start();
    const file = join(built.root, signal);
    const calls = [server.call("hold", { file }), server.call("hold", { file })];
    await eventually(() => expect(server.log.match(/holding/g)).toHaveLength(2));
    server.kill(signal);
    await server.waitForOutput(`stops: ${signal}`);
    writeFileSync(file, "");
    expect(await Promise.all(calls)).toEqual(["done", "done"]);
    expect(await server.end()).toEqual(EXITED);
  });

  test("exits immediately on a second signal", async () => {
    const { server, pids } = await start();
    const call = expect(server.call("hold", { file: join(built.root, "never") })).rejects.toThrow();
    await server.waitForOutput("holding");
    server.kill("SIGTERM");
    await server.waitForOutput("stops: SIGTERM");
    server.kill("SIGTERM");
    expect(await server.end()).toEqual([1, null]);
    await call;
    for (const pid of pids) await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  test("leaves no process behind when the first is killed", async () => {
    const { server, pids } = await start();
    await server.close();
    for (const pid of pids) await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  test("keeps the output lines of different processes separate", async () => {
    const { server } = await start();
    await Promise.all(["a", "b", "c", "d"].map((letter) => server.call("chatter", { letter })));
    server.kill("SIGTERM");
    await server.end();
    const lines = server.log.split("\n").filter((line) => line.length > 1000);
    expect(lines).toHaveLength(80);
    expect(lines.filter((line) => !/^(.)\1{49999}$/.test(line))).toEqual([]);
  });
});

test.each([
  {
    process: "A process",
    flags: [],
    checkStopped: (server: PooledServer) => expect(server.get("/readyz")).rejects.toThrow(),
  },
  {
    process: "The first process of --workers",
    flags: ["--workers", "1"],
    checkStopped: (_: PooledServer, worker = 0) => expect(isAlive(worker)).toBe(false),
  },
])("$process writes its last output for a slow reader", async ({ flags, checkStopped }) => {
  const server = new PooledServer(built.program, ["--http", "--port", "0", ...flags]);
  servers.push(server);
  server.url = await server.waitForOutput(/http:\S+/);
  const [pid] = await server.pids(1);
  server.child.stderr?.pause();
  await server.call("chatter", { letter: "a" });
  server.kill("SIGTERM");
  await eventually(() => checkStopped(server, pid));
  server.child.stderr?.resume();
  await server.end();
  expect(server.log.match(/^a{50000}$/gm)).toHaveLength(20);
  expect(server.log).toMatch(/has stopped\n$/);
});

test("--workers warns once that a store outlives the key of its values, unless keys are set", async () => {
  const { "src/server.ts": _shared, ...alone } = POOLED;
  const other = await buildServer({
    ...alone,
    "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { redis } from "@tenon/runtime/redis";
export default defineServer({ store: redis("redis://127.0.0.1:1") });`,
  });
  const warning = /WARNING: The store is encrypted with a key that is lost when the server stops/g;
  const run = async (keys: string): Promise<string> => {
    const { server } = await PooledServer.start(other.program, 2, { TENON_STATE_KEYS: keys });
    servers.push(server);
    server.kill("SIGTERM");
    await server.end();
    return server.log;
  };
  expect((await run("")).match(warning)).toHaveLength(1);
  expect((await run("a".repeat(32))).match(warning)).toBeNull();
  other.remove();
});

test.each([
  [2, 1],
  [1, 0],
])("--workers=%i warns %i times that several workers cannot serve HTTP+SSE", async (count, warnings) => {
  const flags = ["--http", "--port", "0", "--sse", "--workers", String(count)];
  const server = new PooledServer(built.program, flags);
  servers.push(server);
  await eventually(() => expect(server.log).toContain("callers are not authenticated"));
  server.kill("SIGTERM");
  await server.end();
  expect(server.log.match(/WARNING: Clients of HTTP\+SSE will receive 404/g) ?? []).toHaveLength(warnings);
});

describe("--workers reports once why it cannot start", () => {
  test.each<[string, string[], number, RegExp, Record<string, string>?]>([
    ["an invalid number", ["--http", "--workers", "many"], 2, /^--workers must be a number.*"many"/],
    ["a missing number", ["--http", "--workers"], 2, /^Option '--workers/],
    ["stdio", ["--workers", "2"], 2, /--workers needs --http/],
    ["an unknown option", ["--http", "--workers=2", "--prot", "1"], 2, /Unknown option '--prot'/],
    [
      "a module that throws",
      ["--http", "--port", "0", "--workers", "2"],
      1,
      /^The server cannot start\.\n\nError: DATABASE_URL is not set\.\n {4}at src\/server\.ts:4/,
      { MISSING: "yes" },
    ],
  ])("for %s", (_, flags, code, expected, env) => {
    const { status, stderr } = spawnSync(process.execPath, [built.program, ...flags], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    expect(status).toBe(code);
    const output = stderr.replace(/^loaded\n/, "");
    expect(output).toMatch(expected);
    expect(output.match(new RegExp(expected, "g"))).toHaveLength(1);
  });

  test("for a port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const server = new PooledServer(built.program, ["--http", "--port", String(port), "--workers", "2"]);
    servers.push(server);
    expect(await server.end()).toEqual([1, null]);
    expect(server.log).toBe(
      `loaded\nPort ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another with --port.\n`,
    );
    other.close();
  });

  test.each<[string, Record<string, string>]>([
    ["without a store", {}],
    [
      "with an undefined store",
      {
        "src/server.ts": `import { defineServer } from "@tenon/runtime";
export default defineServer({ store: undefined });`,
      },
    ],
  ])("for a server %s", async (_, files) => {
    const { "src/server.ts": _shared, ...alone } = POOLED;
    const other = await buildServer({ ...alone, ...files });
    const { status, stderr } = spawnSync(process.execPath, [other.program, "--http", "--workers", "2"], {
      encoding: "utf8",
    });
    other.remove();
    expect(status).toBe(2);
    expect(stderr.split("\n")[0]).toMatchInlineSnapshot(
      `"--workers needs a \`store\` in src/server.ts to share sessions, tasks, and limits. On one machine, use \`store: workers()\` from @tenon/runtime/workers."`,
    );
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the number of settled promises. */
async function countSettled(calls: readonly Promise<unknown>[]): Promise<number> {
  const none = Symbol("none");
  const found = await Promise.all(calls.map((call) => Promise.race([call, Promise.resolve(none)])));
  return found.filter((each) => each !== none).length;
}
