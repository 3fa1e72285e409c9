import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createHttpHandler } from "@tenon/runtime/http";
import { createServer } from "@tenon/runtime/server";
import { telemetry, type TelemetryOptions } from "@tenon/runtime/telemetry";
import { connect, type ConnectOptions, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LATEST, LATEST_LEGACY, quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { httpWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";
import { Tools } from "./fixture/src/handlers.js";

const REVISIONS = [LATEST_LEGACY, LATEST];
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

const spans = new InMemorySpanExporter();
const points = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 2 ** 30 });
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
});
beforeEach(() => spans.reset());
afterAll(async () => {
  await meters.shutdown();
  for (const each of [context, trace, metrics, propagation]) each.disable();
});

/** Runs code in its own span. */
class Traced extends Tools {
  override async book(): Promise<string> {
    await Promise.resolve();
    const span = trace.getTracer("handler").startSpan("query");
    await Promise.resolve();
    span.end();
    return propagation.getActiveBaggage()?.getEntry("tenant")?.value ?? "none";
  }
}

const application = (options?: TelemetryOptions) =>
  createFixture({ provide: [new Traced()], observe: [telemetry(options)] });

async function start(options?: TelemetryOptions, given?: ConnectOptions): Promise<TestClient> {
  const server = createServer(application(options), { onInternalError: () => {} });
  const client = await connect(server, { showErrors: false, ...given });
  spans.reset();
  return client;
}

/** Returns the only span of a method. */
function findSpan(method: string): ReadableSpan {
  const found = spans.getFinishedSpans().filter(({ attributes }) => attributes["mcp.method.name"] === method);
  expect(found).toHaveLength(1);
  return found[0] as ReadableSpan;
}

describe.each(REVISIONS)("a span at %s", (revision) => {
  test("is named by method and tool, with the attributes of the conventions", async () => {
    const client = await start({}, { revision });
    await client.callTool("add", { a: 1, b: 2 });
    const { name, kind, status, attributes, instrumentationScope } = findSpan("tools/call");
    expect({ name, kind, status, scope: instrumentationScope.name, attributes }).toEqual({
      name: "tools/call add",
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      scope: "@tenon/runtime",
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "add",
        "mcp.protocol.version": revision,
        "mcp.session.id": expect.any(String) as string,
        "jsonrpc.request.id": expect.stringMatching(/./) as string,
        "network.transport": "pipe",
      },
    });
  });

  test("exists for a prompt, a resource, and a list", async () => {
    const client = await start({}, { revision });
    await client.getPrompt("plan", { city: "Oslo", mood: "calm" });
    await client.readResource("note://7");
    await client.listTools();
    expect(findSpan("prompts/get")).toMatchObject({
      name: "prompts/get plan",
      attributes: { "gen_ai.prompt.name": "plan" },
    });
    expect(findSpan("resources/read")).toMatchObject({
      name: "resources/read",
      attributes: { "mcp.resource.uri": "note://7" },
    });
    expect(findSpan("tools/list").name).toBe("tools/list");
    expect(findSpan("tools/list").attributes).not.toHaveProperty(["gen_ai.operation.name"]);
  });

  test.each([
    ["a failed tool", "fail", { how: "tool" }, { "error.type": "tool_error" }],
    ["invalid arguments", "add", { a: "x" }, { "error.type": "tool_error" }],
    [
      "an error in a tool",
      "fail",
      { how: "later" },
      { "error.type": "tool_error", "tenon.error.reference": expect.any(String) as string },
    ],
    ["an unknown tool", "no-such-tool", {}, { "error.type": "-32602", "rpc.response.status_code": "-32602" }],
  ])("marks %s as an error", async (_name, tool, args, attributes) => {
    const client = await start({}, { revision });
    await client.callTool(tool, args).catch(() => {});
    const span = findSpan("tools/call");
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes).toMatchObject(attributes);
    expect(span.name).toBe(tool === "no-such-tool" ? "tools/call" : `tools/call ${tool}`);
  });

  test("ends for cancelled and timed-out calls", async () => {
    const observe = [telemetry()];
    const server = createServer(createFixture({ observe, limits: { callTimeoutMs: 5 } }));
    const client = await connect(server, { revision });
    spans.reset();
    await client.callTool("never");
    expect(findSpan("tools/call").attributes["error.type"]).toBe("timeout");
    const other = await start({}, { revision });
    void other.callTool("never").catch(() => {});
    other.close();
    expect(findSpan("tools/call").attributes["error.type"]).toBe("cancelled");
  });

  test("contains no argument, result, or error text by default", async () => {
    const client = await start({}, { revision });
    await client.callTool("book", { city: "Oslo", days: 2 });
    await client.callTool("book", { city: "Oslo", days: 99 });
    await client.callTool("fail", { how: "tool" });
    const exported = spans.getFinishedSpans().map(({ name, attributes, status, events }) => ({
      name,
      attributes,
      status,
      events,
    }));
    expect(JSON.stringify(exported)).not.toMatch(/Oslo|days|No such city/);
    spans.reset();
    const asked = await start({ arguments: true, results: true }, { revision });
    await asked.callTool("add", { a: 1, b: 2 });
    const { attributes } = findSpan("tools/call");
    expect(attributes["gen_ai.tool.call.arguments"]).toBe('{"a":1,"b":2}');
    expect(JSON.parse(String(attributes["gen_ai.tool.call.result"]))).toMatchObject({
      content: [{ type: "text" }],
    });
  });

  test("masks a secret argument that the result or an error repeats", async () => {
    const { manifest, ...rest } = application({ arguments: true, results: true });
    const tools = manifest.tools.map((tool) => {
      const { inputSchema } = tool.definition;
      const city = { type: "string" as const, writeOnly: true };
      return tool.definition.name === "book"
        ? {
            ...tool,
            input: {
              schema: { ...inputSchema, properties: { ...inputSchema.properties, city, notes: city } },
            },
          }
        : tool;
    });
    const repeating = Object.assign(new Tools(), {
      book: async ({ city = "", notes = "" }) => `Booked ${city} with ${notes}.`,
    });
    const config = { ...rest.config, provide: [repeating] };
    const server = createServer(
      { ...rest, manifest: { ...manifest, tools }, config },
      { onInternalError: () => {} },
    );
    const client = await connect(server, { revision });
    spans.reset();
    // One secret is a part of the other.
    await client.callTool("book", { notes: "hunter2", city: "hunter2-9f8e7d", days: 2 });
    const text = JSON.stringify(findSpan("tools/call").attributes);
    expect(text).toContain("Booked (secret) with (secret).");
    expect(text).not.toMatch(/hunter2|9f8e7d/);
  });

  test("is active in the handler, and belongs to the client's trace", async () => {
    const client = await start({}, { revision });
    const _meta = { traceparent: TRACEPARENT, tracestate: "rojo=1", baggage: "tenant=acme" };
    const params = { name: "book", arguments: { city: "Oslo", days: 2 }, _meta };
    const { content } = await client.request("tools/call", params);
    expect(content).toMatchObject([{ text: "acme" }]);
    const span = findSpan("tools/call");
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.spanContext().traceState?.serialize()).toBe("rojo=1");
    expect(span.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true });
    const query = spans.getFinishedSpans().find(({ name }) => name === "query");
    expect(query?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });
});

describe("a trace context", () => {
  const add = { name: "add", arguments: { a: 1, b: 2 } };

  test("is only linked if callers are not authenticated", async () => {
    const client = await start({ remoteParent: false });
    await client.request("tools/call", { ...add, _meta: { traceparent: TRACEPARENT } });
    const span = findSpan("tools/call");
    expect(span.spanContext().traceId).not.toBe(TRACE);
    expect(span.links).toMatchObject([{ context: { traceId: TRACE, spanId: PARENT } }]);
  });

  test("becomes the parent if it is active, or a link if the client sent another", async () => {
    const client = await start();
    const http = trace.getTracer("http").startSpan("POST");
    await context.with(trace.setSpan(context.active(), http), async () => {
      await client.request("tools/call", add);
      expect(findSpan("tools/call").parentSpanContext?.spanId).toBe(http.spanContext().spanId);
      spans.reset();
      await client.request("tools/call", { ...add, _meta: { traceparent: TRACEPARENT } });
    });
    const span = findSpan("tools/call");
    expect(span.parentSpanContext?.spanId).toBe(PARENT);
    expect(span.links).toMatchObject([{ context: http.spanContext() }]);
  });

  test.each([
    ["not text", 7],
    ["malformed", "00-zz"],
    ["all zeros", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`],
  ])("is ignored if it is %s", async (_name, traceparent) => {
    const client = await start();
    await client.request("tools/call", { ...add, _meta: { traceparent } });
    expect(findSpan("tools/call").parentSpanContext).toBeUndefined();
  });

  test.each(REVISIONS)("may come in headers, at %s", async (revision) => {
    const handle = createHttpHandler(quietServer(application()));
    const send = async (url: string, init: RequestInit): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set("traceparent", TRACEPARENT);
      return handle(new Request(url, { ...init, headers }));
    };
    const client = new WireClient(httpWire("http://localhost/mcp", send), { revision });
    await client.open();
    spans.reset();
    await client.call("add", add.arguments);
    const span = findSpan("tools/call");
    expect(span.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT });
    expect(span.attributes).toMatchObject({ "network.transport": "tcp", "network.protocol.name": "http" });
    await client.close();
    await handle.close();
  });
});

describe("mcp.server.operation.duration", () => {
  const collect = async () => {
    points.reset();
    await reader.forceFlush();
    const [exported] = points.getMetrics();
    return exported?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  };

  test("counts by method, name, and error, in seconds and the buckets of the conventions", async () => {
    await collect();
    const client = await start();
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("fail", { how: "tool" });
    for (const name of ["x1", "x2", "x3"]) await client.callTool(name).catch(() => {});
    for (const method of ["y1", "y2"]) await client.request(method, {}).catch(() => {});
    const found = await collect();
    expect(found.map(({ descriptor }) => [descriptor.name, descriptor.unit])).toEqual([
      ["mcp.server.operation.duration", "s"],
    ]);
    const data = found.flatMap(({ dataPoints }) => dataPoints as unknown[]) as {
      attributes: Record<string, unknown>;
      value: { count: number; sum: number; buckets: { boundaries: number[] } };
    }[];
    const counts = data.map(({ attributes, value }) => [
      [attributes["mcp.method.name"], attributes["gen_ai.tool.name"], attributes["error.type"]].join(" "),
      value.count,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      "server/discover  ": 1,
      "tools/call add ": 2,
      "tools/call fail tool_error": 1,
      "tools/call  -32602": 3,
      "_OTHER  -32601": 2,
    });
    expect(data[0]?.value.buckets.boundaries).toEqual([
      0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
    ]);
    for (const { value } of data) expect(value.sum).toBeLessThan(60);
  });
});

test("calls are served unrecorded without an SDK", async () => {
  const client = await connect(
    createServer(
      createFixture({
        observe: [
          telemetry({ tracerProvider: new BasicTracerProvider(), meterProvider: new MeterProvider() }),
        ],
      }),
    ),
  );
  expect(await client.callTool("add", { a: 1, b: 2 })).toMatchObject({ structuredContent: 3 });
});

test("a missing OpenTelemetry API is reported with the command to install it", async () => {
  vi.resetModules();
  vi.doMock("@opentelemetry/api", () => {
    throw new Error("Cannot find package");
  });
  await expect(import("@tenon/runtime/telemetry")).rejects.toThrow("npm install @opentelemetry/api");
  vi.doUnmock("@opentelemetry/api");
  // Other files may share these modules.
  vi.resetModules();
});
