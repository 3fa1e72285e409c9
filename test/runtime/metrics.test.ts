import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import type { LogEntry } from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Metrics, metrics } from "@tenon/runtime/metrics";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { serverProgram } from "../support/server-program.js";
import { LATEST, LATEST_LEGACY } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";
import { FIXTURE_ENTRY } from "./fixture/programs.js";

interface Parsed {
  name: string;
  help: string;
  type: string;
  metrics: {
    value?: string;
    labels?: Record<string, string>;
    buckets?: Record<string, string>;
    count?: string;
    sum?: string;
  }[];
}

const parse = createRequire(import.meta.url)("parse-prometheus-text-format") as (text: string) => Parsed[];

/** Returns the families in a scrape response, by name. Fails for text that does not follow the grammar. */
function read(text: string): Record<string, Parsed> {
  const value = String.raw`[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN`;
  const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`;
  const line = new RegExp(
    String.raw`^(?:# HELP [a-zA-Z_:][\w:]* (?:[^\\\n]|\\[\\n])*|# TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram)|[a-zA-Z_:][\w:]*(?:\{${label}(?:,${label})*\})? (?:${value}))$`,
  );
  expect(text.endsWith("\n")).toBe(true);
  expect(
    text
      .trimEnd()
      .split("\n")
      .filter((each) => !line.test(each)),
  ).toEqual([]);
  return Object.fromEntries(parse(text).map((family) => [family.name, family]));
}

async function start(revision = LATEST, config = {}) {
  const meter = metrics();
  const server = createServer(createFixture({ observe: [meter], ...config }), { onInternalError: () => {} });
  const client = await connect(server, { showErrors: false, revision });
  return { meter, server, client };
}

function countCalls(meter: Metrics): Record<string, string | undefined> {
  const { metrics: found = [] } = read(meter.text())["mcp_server_calls_total"] ?? {};
  return Object.fromEntries(
    found.map(({ labels = {}, value }) => [
      [labels["method"], labels["name"], labels["outcome"]].filter(Boolean).join(" "),
      value,
    ]),
  );
}

describe.each([LATEST_LEGACY, LATEST])("at %s", (revision) => {
  test("requests are counted by method, name, and outcome, for existing names only", async () => {
    const { meter, client } = await start(revision);
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("add", { a: "x" });
    await client.callTool("fail", { how: "tool" });
    await client.callTool("fail", { how: "later" });
    await client.readResource("note://7");
    for (let index = 0; index < 50; index++) {
      await client.callTool(`x${index}`).catch(() => {});
      await client.readResource(`nothing://${index}`).catch(() => {});
      await client.request(`y${index}`, {}).catch(() => {});
    }
    const opening = revision === LATEST ? "server/discover ok" : "initialize ok";
    expect(countCalls(meter)).toEqual({
      [opening]: "1",
      "tools/call add ok": "2",
      "tools/call add rejected": "1",
      "tools/call fail failed": "1",
      "tools/call fail internal-error": "1",
      "resources/read note ok": "1",
      "tools/call other rejected": "50",
      "resources/read other rejected": "50",
      "other rejected": "50",
    });
  });
});

test("durations are in cumulative buckets", async () => {
  const { meter, client } = await start(LATEST, { limits: { callTimeoutMs: 30 } });
  await client.callTool("add", { a: 1, b: 2 });
  await client.callTool("never");
  const families = read(meter.text());
  const { type, metrics: found = [] } = families["mcp_server_call_duration_seconds"] ?? {};
  expect(type).toBe("HISTOGRAM");
  expect(found[0]?.buckets).toHaveProperty("+Inf");
  const text = meter
    .text()
    .split("\n")
    .filter((line) => line.includes('name="never"'));
  const buckets = text
    .filter((line) => line.includes("_bucket"))
    .map((line) => Number(line.split(" ").at(-1)));
  expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  expect(buckets.at(0)).toBe(0);
  expect(buckets.at(-1)).toBe(1);
  expect(text.find((line) => line.includes("_count"))).toMatch(/ 1$/);
  expect(
    Number(
      text
        .find((line) => line.includes("_sum"))
        ?.split(" ")
        .at(-1),
    ),
  ).toBeGreaterThan(0.02);
});

test("requests in progress and open connections are gauges", async () => {
  const { meter, client } = await start(LATEST_LEGACY);
  void client.callTool("never").catch(() => {});
  const gauge = (name: string) => read(meter.text())[name]?.metrics;
  expect(gauge("mcp_server_calls_in_progress")).toContainEqual({
    labels: { method: "tools/call" },
    value: "1",
  });
  expect(gauge("mcp_server_sessions")).toEqual([{ value: "1" }]);
  client.close();
  expect(gauge("mcp_server_calls_in_progress")).toContainEqual({
    labels: { method: "tools/call" },
    value: "0",
  });
  expect(gauge("mcp_server_sessions")).toEqual([{ value: "0" }]);
});

test("long-lived requests are open until they end", async () => {
  const { meter, client } = await start();
  const controller = new AbortController();
  const params = { notifications: { toolsListChanged: true } };
  void client.request("subscriptions/listen", params, { signal: controller.signal }).catch(() => {});
  const streams = () => read(meter.text())["mcp_server_streams"]?.metrics;
  await expect.poll(streams).toEqual([{ value: "1" }]);
  controller.abort();
  await expect.poll(streams).toEqual([{ value: "0" }]);
});

test("process metrics are included, and the values of labels are escaped", async () => {
  const { meter } = await start(LATEST, { name: 'a "quoted"\\name\nof two lines' });
  const families = read(meter.text());
  expect(families["mcp_server_info"]?.metrics[0]?.labels).toEqual({
    name: 'a "quoted"\\name\nof two lines',
    version: "1.2.3",
  });
  for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total"])
    expect(Number(families[name]?.metrics[0]?.value)).toBeGreaterThan(0);
});

test.each([-1, 65_536, 1.5, "9464"])("the port must be valid, not %s", (port) => {
  expect(() => metrics({ port: port as number })).toThrow("metrics: port must be a number from 0 to 65535");
  expect(() => metrics({ host: "0.0.0.0" })).toThrow("metrics: `host` has no effect without `port`");
});

/** Returns the status and type of the response of `/metrics`. */
async function get(url: string, init: { host?: string; method?: string } = {}) {
  const { method = "GET", host } = init;
  return new Promise<{ status: number | undefined; type: string | undefined; body: string }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers: host === undefined ? {} : { host } }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, type: response.headers["content-type"], body }),
        );
      });
      sent.on("error", reject).end();
    },
  );
}

describe("a separate metrics port", () => {
  const OPENING = {
    protocolVersion: LATEST_LEGACY,
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };

  test("serves Prometheus only", async () => {
    const meter = metrics({ port: 0 });
    let url = "";
    const log = (entry: LogEntry): void => void (url = String(entry["url"]));
    createServer(createFixture({ observe: [meter], log }));
    const stop = await meter.start?.();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const answer = await get(url);
    expect(answer).toMatchObject({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
    expect(read(answer.body)).toHaveProperty("mcp_server_info");
    expect(await get(url, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    expect((await get(url, { method: "POST" })).status).toBe(405);
    expect((await get(url.replace("/metrics", "/mcp"))).status).toBe(404);
    expect((await get(url, { host: "rebound.example" })).status).toBe(403);
    await stop?.();
    await expect(get(url)).rejects.toThrow();
  });

  test("is reported once if nothing listens on it, in a server that an application mounts", async () => {
    const log: LogEntry[] = [];
    const config = { observe: [metrics({ port: 9464 })], log: (entry: LogEntry) => void log.push(entry) };
    const handle = createHttpHandler(createServer(createFixture(config)));
    onTestFinished(() => handle.close());
    for (let round = 0; round < 2; round++) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: round, method: "initialize", params: OPENING });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      await handle(new Request("http://localhost/mcp", { method: "POST", body, headers }));
    }
    expect(log.filter(({ event }) => event === "metrics-not-served")).toMatchObject([
      { level: "info", msg: expect.stringContaining("metrics({ port: 9464 }): nothing listens") as string },
    ]);
  });

  test("is named in the error if it is taken", async () => {
    const other = createHttpServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(metrics({ port }).start?.()).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another with metrics({ port }).`,
    );
  });

  test("serves metrics alongside MCP until the server has stopped", async () => {
    const program = await serverProgram(FIXTURE_ENTRY);
    const env = { ...process.env, FIXTURE_LOG: "info", FIXTURE_METRICS_PORT: "0" };
    const child = spawn(process.execPath, [program, "--http", "--port", "0"], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: { url?: string; msg: string }[] = [];
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      for (const line of chunk.trim().split("\n"))
        lines.push(JSON.parse(line) as { url?: string; msg: string });
    });
    await expect.poll(() => lines.length).toBe(3);
    expect((await get(lines[0]?.url ?? "")).body).toContain("mcp_server_sessions 0\n");
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect((await closed)[0]).toBe(0);
  });
});
