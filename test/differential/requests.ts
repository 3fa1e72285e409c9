import * as fc from "fast-check";

/** One HTTP request, and how it differs from a normal one. */
export interface Sent {
  era: "legacy" | "modern";
  /** Change that was made to a valid request; empty if none was made. */
  oddity: string;
  verb: string;
  headers: Record<string, string>;
  body: string;
}

interface Call {
  method: string;
  params?: unknown;
}

const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";
const META = "io.modelcontextprotocol";
const FROM = "2026-01-01T00:00:00.000Z";

const cities = fc.constantFrom("Oslo", "Nairobi", "bergen", "Lisbon", "Osaka");
const anything = fc.jsonValue({ maxDepth: 2 });
const tool = (name: unknown, args: unknown): Call => ({
  method: "tools/call",
  params: { name, arguments: args },
});

/** Calls that a well-behaved client makes. */
const validCalls: fc.Arbitrary<Call> = fc.oneof(
  fc
    .constantFrom("tools/list", "prompts/list", "resources/list", "resources/templates/list")
    .map((method) => ({ method, params: {} })),
  fc
    .record({ city: cities, units: fc.constantFrom("metric", "imperial") }, { requiredKeys: ["city"] })
    .map((args) => tool("current", args)),
  fc
    .record({ city: cities, days: fc.integer({ min: 1, max: 14 }), from: fc.constant(FROM) })
    .map((args) => tool("forecast", args)),
  fc
    .record(
      { city: cities, mood: fc.constantFrom("calm", "busy"), days: fc.constantFrom("1", "2", "30") },
      { requiredKeys: ["city", "mood"] },
    )
    .map((args) => ({ method: "prompts/get", params: { name: "plan", arguments: args } })),
  fc
    .constantFrom("climate://cities", "climate://Oslo/2024", "climate://Lisbon/1999")
    .map((uri) => ({ method: "resources/read", params: { uri } })),
);

/** Well-formed calls with a mistake in their parameters, by the mistake. */
const invalidCalls: fc.Arbitrary<[string, Call]> = fc.oneof(
  fc
    .constantFrom("Atlantis", "", "__proto__")
    .map((city): [string, Call] => ["rejected value", tool("current", { city })]),
  fc
    .record({ city: anything, units: anything }, { requiredKeys: [] })
    .map((args): [string, Call] => ["argument of any type", tool("current", args)]),
  fc
    .constantFrom<unknown>(0, 15, 1.5, -1, "2", "3", "14", "two", null, [1], true)
    .map((days): [string, Call] => [
      "argument out of range",
      tool("forecast", { city: "Oslo", days, from: FROM }),
    ]),
  fc
    .dictionary(fc.constantFrom("citty", "Units", "__proto__", "constructor", "x"), anything, { minKeys: 1 })
    .map((more): [string, Call] => ["unknown argument", tool("current", { city: "Oslo", ...more })]),
  fc
    .constantFrom<unknown>(null, [], "Oslo", 7, true)
    .map((args): [string, Call] => ["arguments of the wrong type", tool("current", args)]),
  fc
    .constantFrom<unknown>("curent", "", "toString", "__proto__", "constructor", "CURRENT")
    .map((name): [string, Call] => ["unknown tool", tool(name, { city: "Oslo" })]),
  fc
    .constantFrom<unknown>(7, null, ["current"], {}, undefined)
    .map((name): [string, Call] => ["tool name of the wrong type", tool(name, { city: "Oslo" })]),
  fc
    .constantFrom("plann", "", "toString")
    .map((name): [string, Call] => ["unknown prompt", { method: "prompts/get", params: { name } }]),
  fc
    .record(
      { city: fc.constant("Oslo"), mood: fc.constantFrom("angry", ""), weather: fc.constant("x") },
      { requiredKeys: [] },
    )
    .map((args): [string, Call] => [
      "prompt arguments",
      { method: "prompts/get", params: { name: "plan", arguments: args } },
    ]),
  fc
    .constantFrom("climate://", "climate://Oslo", "climate://Oslo/2024/1", "file:///etc/passwd", "no uri", "")
    .map((uri): [string, Call] => ["unknown resource", { method: "resources/read", params: { uri } }]),
  fc
    .constantFrom<unknown>(7, null, {}, undefined)
    .map((uri): [string, Call] => ["uri of the wrong type", { method: "resources/read", params: { uri } }]),
  fc
    .constantFrom(
      "tools/calls",
      "Tools/List",
      "",
      "toString",
      "__proto__",
      "rpc.discover",
      "tasks/list",
      "roots/list",
    )
    .map((method): [string, Call] => ["unknown method", { method, params: {} }]),
  fc
    .constantFrom<unknown>("x", 7, {}, "")
    .map((cursor): [string, Call] => ["cursor", { method: "tools/list", params: { cursor } }]),
);

type Envelope = Record<string, unknown>;

const envelopeOddities: [string, (envelope: Envelope) => unknown][] = [
  ["no jsonrpc", (envelope) => omitMember(envelope, "jsonrpc")],
  ["other jsonrpc", (envelope) => ({ ...envelope, jsonrpc: "1.0" })],
  ["id null", (envelope) => ({ ...envelope, id: null })],
  ["id object", (envelope) => ({ ...envelope, id: {} })],
  ["id boolean", (envelope) => ({ ...envelope, id: true })],
  ["id fraction", (envelope) => ({ ...envelope, id: 1.5 })],
  ["id empty", (envelope) => ({ ...envelope, id: "" })],
  ["method number", (envelope) => ({ ...envelope, method: 7 })],
  ["no method", (envelope) => omitMember(envelope, "method")],
  ["params array", (envelope) => ({ ...envelope, params: [envelope.params] })],
  ["params null", (envelope) => ({ ...envelope, params: null })],
  ["params text", (envelope) => ({ ...envelope, params: "x" })],
  ["extra member", (envelope) => ({ ...envelope, trace: "x" })],
  ["empty batch", () => []],
  ["batch", (envelope) => [envelope]],
  ["JSON null", () => null],
  ["JSON text", () => "tools/list"],
];

const textOddities: [string, (text: string) => string][] = [
  ["cut short", (text) => text.slice(0, -5)],
  ["no body", () => ""],
  ["two messages", (text) => `${text}\n${text}`],
  ["trailing comma", (text) => text.replace(/\}$/, ",}")],
  ["byte order mark", (text) => `\uFEFF${text}`],
];

const headerOddities: [string, (headers: Record<string, string>) => Record<string, string>][] = [
  ["no content-type", (headers) => ({ ...headers, "content-type": "" })],
  ["content-type text", (headers) => ({ ...headers, "content-type": "text/plain" })],
  ["content-type charset", (headers) => ({ ...headers, "content-type": "application/json; charset=utf-8" })],
  ["accept json", (headers) => ({ ...headers, accept: "application/json" })],
  ["accept events", (headers) => ({ ...headers, accept: "text/event-stream" })],
  ["accept html", (headers) => ({ ...headers, accept: "text/html" })],
  ["accept any", (headers) => ({ ...headers, accept: "*/*" })],
  ["version unknown", (headers) => ({ ...headers, "mcp-protocol-version": "v999.0.0" })],
];

const modernHeaderOddities: typeof headerOddities = [
  ["no version header", (headers) => omitMember(headers, "mcp-protocol-version")],
  ["no method header", (headers) => omitMember(headers, "mcp-method")],
  ["method header wrong", (headers) => ({ ...headers, "mcp-method": "tools/other" })],
  [
    "method header upper case",
    (headers) => ({ ...headers, "mcp-method": headers["mcp-method"]?.toUpperCase() ?? "" }),
  ],
  ["no name header", (headers) => omitMember(headers, "mcp-name")],
  ["name header wrong", (headers) => ({ ...headers, "mcp-name": "other" })],
  ["name header encoded", (headers) => ({ ...headers, "mcp-name": encode(headers["mcp-name"] ?? "") })],
  ["name header badly encoded", (headers) => ({ ...headers, "mcp-name": "=?base64?SGVs!!!bG8=?=" })],
  ["name header padded", (headers) => ({ ...headers, "mcp-name": `  ${headers["mcp-name"] ?? ""}  ` })],
];

const metaOddities: [string, (meta: Record<string, unknown>) => unknown][] = [
  ["no _meta", () => undefined],
  ["_meta text", () => "x"],
  ["no version in _meta", (meta) => omitMember(meta, `${META}/protocolVersion`)],
  ["version in _meta unknown", (meta) => ({ ...meta, [`${META}/protocolVersion`]: "v999.0.0" })],
  ["version in _meta legacy", (meta) => ({ ...meta, [`${META}/protocolVersion`]: LEGACY })],
  ["no capabilities in _meta", (meta) => omitMember(meta, `${META}/clientCapabilities`)],
  ["capabilities in _meta text", (meta) => ({ ...meta, [`${META}/clientCapabilities`]: "x" })],
  ["no client info in _meta", (meta) => omitMember(meta, `${META}/clientInfo`)],
  ["log level in _meta", (meta) => ({ ...meta, [`${META}/logLevel`]: "debug" })],
  ["log level in _meta unknown", (meta) => ({ ...meta, [`${META}/logLevel`]: "loud" })],
];

/** Generates the requests of one era. The same seed produces the same requests. */
export function generateRequests(era: Sent["era"], count: number, seed: number): Sent[] {
  const ids = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.stringMatching(/^[a-z]{1,8}$/));
  const request = (call: Call, id: unknown, oddity: string): Sent => write(era, call, id, oddity);
  const valid = fc.tuple(validCalls, ids).map(([call, id]) => request(call, id, ""));
  const invalid = fc.tuple(invalidCalls, ids).map(([[oddity, call], id]) => request(call, id, oddity));
  const own: Call[] =
    era === "modern"
      ? ["server/discover", "initialize", "ping", "logging/setLevel", "resources/subscribe"].map(
          (method) => ({
            method,
            params: {},
          }),
        )
      : [{ method: "ping" }, { method: "server/discover", params: {} }];
  const lifecycle = fc
    .tuple(fc.constantFrom(...own), ids)
    .map(([call, id]) => request(call, id, "lifecycle"));
  const envelopes = fc
    .tuple(fc.constantFrom(...envelopeOddities), valid)
    .map(([[oddity, change], sent]) =>
      withBody(sent, oddity, JSON.stringify(change(JSON.parse(sent.body) as Envelope))),
    );
  const texts = fc
    .tuple(fc.constantFrom(...textOddities), valid)
    .map(([[oddity, change], sent]) => withBody(sent, oddity, change(sent.body)));
  const headers = fc
    .tuple(fc.constantFrom(...headerOddities, ...(era === "modern" ? modernHeaderOddities : [])), valid)
    .map(([[oddity, change], sent]): Sent => ({ ...sent, oddity, headers: change(sent.headers) }));
  const metas = fc.tuple(fc.constantFrom(...metaOddities), valid).map(([[oddity, change], sent]) => {
    const message = JSON.parse(sent.body) as { params: { _meta: Record<string, unknown> } };
    const _meta = change(message.params._meta);
    return withBody(sent, oddity, JSON.stringify({ ...message, params: { ...message.params, _meta } }));
  });
  const verbs = fc.tuple(fc.constantFrom("PUT", "PATCH", "HEAD"), valid).map(([verb, sent]): Sent => ({
    ...sent,
    verb,
    oddity: `verb ${verb}`,
    body: verb === "HEAD" ? "" : sent.body,
  }));
  const notifications = valid.map((sent) => {
    return withBody(sent, "no id", JSON.stringify(omitMember(JSON.parse(sent.body) as Envelope, "id")));
  });
  const all = [
    valid,
    valid,
    invalid,
    invalid,
    invalid,
    lifecycle,
    envelopes,
    texts,
    headers,
    verbs,
    notifications,
  ];
  return fc.sample(fc.oneof(...all, ...(era === "modern" ? [metas, headers] : [])), { numRuns: count, seed });
}

function omitMember<Value>(members: Record<string, Value>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
}

function withBody(sent: Sent, oddity: string, body: string): Sent {
  return { ...sent, oddity, body };
}

function write(era: Sent["era"], { method, params }: Call, id: unknown, oddity: string): Sent {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": era === "modern" ? MODERN : LEGACY,
  };
  if (era === "legacy") {
    return {
      era,
      oddity,
      verb: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    };
  }
  const members = (params ?? {}) as Record<string, unknown>;
  headers["mcp-method"] = method;
  const name = method === "resources/read" ? members.uri : members.name;
  if (typeof name === "string") headers["mcp-name"] = name;
  const _meta = {
    [`${META}/protocolVersion`]: MODERN,
    [`${META}/clientCapabilities`]: {},
    [`${META}/clientInfo`]: { name: "differential", version: "1.0.0" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...members, _meta } });
  return { era, oddity, verb: "POST", headers, body };
}

function encode(text: string): string {
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
