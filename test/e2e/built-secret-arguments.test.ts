/**
 * Secret arguments of every type, as a client sends them right and wrong: no log, span, or response repeats one.
 */
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { LogEntry } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** Types of an argument, and what a secret looks like in each. */
const TYPES: Readonly<Record<string, [type: string, toValue: (secret: string) => unknown]>> = {
  alias: ["Phrase", (secret) => secret],
  nullable: ["Phrase | null", (secret) => secret],
  number: ["Pin", (secret) => secret],
  date: ["Moment", (secret) => secret],
  list: ["Phrase[]", (secret) => ["x", secret]],
  record: ["Record<string, Phrase>", (secret) => ({ a: secret })],
  tuple: ["[string, Phrase]", (secret) => ["x", secret]],
  set: ["Set<Phrase>", (secret) => [secret]],
  map: ["Map<string, Phrase>", (secret) => ({ a: secret })],
  object: ["Holder", (secret) => ({ word: secret })],
  objects: ["Holder[]", (secret) => [{ word: secret }]],
  pair: ["{ a: Holder; b: Holder }", (secret) => ({ a: { word: secret }, b: { word: secret } })],
  intersection: ["Holder & { other?: string }", (secret) => ({ word: secret })],
  mapped: ['Omit<Partial<Readonly<Holder>>, "note">', (secret) => ({ word: secret })],
  union: [
    '{ kind: "a"; holder: Holder } | { kind: "b"; word: Phrase }',
    (secret) => ({ kind: "a", holder: { word: secret } }),
  ],
  mixed: ["Phrase | string[]", (secret) => secret],
  nested: ["{ a: { b: { c: Holder } } }", (secret) => ({ a: { b: { c: { word: secret } } } })],
  recursive: ["Tree", (secret) => ({ children: [{ word: secret }] })],
};

/** Mistakes of clients. */
const MISTAKES: Readonly<Record<string, (value: unknown) => Record<string, unknown>>> = {
  "no mistake": (value) => ({ key: value }),
  "another name": (value) => ({ kye: value }),
  "another argument": (value) => ({ key: value, also: value }),
  "an object around it": (value) => ({ key: { value } }),
  "a list around it": (value) => ({ key: [value] }),
  "a list with another item": (value) => ({ key: [1, value] }),
  "JSON text": (value) => ({ key: JSON.stringify(value) }),
  "another member": (value) => ({ key: { ...(value as object), also: value } }),
  "misspelled members": (value) => ({
    key: JSON.parse(JSON.stringify(value).replaceAll('"word"', '"wrod"')),
  }),
};

const SOURCES = {
  "src/vault.ts": `
    import { Tool, ToolError } from "@tenon/runtime";
    /** @secret */
    export type Phrase = string;
    /** @secret */
    export type Pin = number;
    /** @secret */
    export type Moment = Date;
    export interface Holder {
      /** @secret */
      word: string;
      note?: string;
    }
    export interface Tree {
      /** @secret */
      word?: string;
      children?: Tree[];
    }
    export class Vault {
${Object.entries(TYPES)
  .map(
    ([name, [type]]) => `
      /** Opens. */
      @Tool() ${name}(key: ${type}, end: string): string {
        if (end === "rejected") throw new ToolError("It stays closed.");
        if (end === "failed") throw new Error("The lock is broken.");
        return "open";
      }`,
  )
  .join("\n")}
    }`,
  "src/server.ts": `
    import { defineServer, type LogEntry } from "@tenon/runtime";
    import { audit } from "@tenon/runtime/log";
    import { telemetry, type TelemetryOptions } from "@tenon/runtime/telemetry";
    const { entries, tracerProvider } = globalThis as unknown as TelemetryOptions & { entries: LogEntry[] };
    export default defineServer({
      log: (entry) => entries.push(entry),
      observe: [audit({ arguments: true }), telemetry({ tracerProvider, arguments: true, results: true })],
    });`,
};

const entries: LogEntry[] = [];
const spans = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
let built: BuiltServer;
let server: Server;

beforeAll(async () => {
  Object.assign(globalThis, { entries, tracerProvider });
  built = await buildServer(SOURCES);
  server = await built.load("secret-arguments");
});
afterAll(() => {
  built.remove();
  Reflect.deleteProperty(globalThis, "entries");
  Reflect.deleteProperty(globalThis, "tracerProvider");
});

describe.each(Object.entries(TYPES))("a secret in an argument of the kind %s", (tool, [, toValue]) => {
  test.each(Object.entries(MISTAKES))("stays hidden with %s", async (_, toArguments) => {
    for (const end of ["done", "rejected", "failed"]) {
      const secret = `hunter-${tool}-${end}-swordfish`;
      entries.length = 0;
      spans.reset();
      const client = await connect(server, { revision: "2026-07-28", showErrors: false });
      const response = await client
        .request("tools/call", { name: tool, arguments: { ...toArguments(toValue(secret)), end } })
        .catch(String);
      await client.close();
      const logged = entries.map(({ err, ...entry }) => ({ ...entry, ...err }));
      const traced = spans
        .getFinishedSpans()
        .map(({ name, attributes, status }) => ({ name, attributes, status }));
      expect(logged.length).toBeGreaterThan(0);
      expect(JSON.stringify([response, logged, traced])).not.toContain(secret);
    }
  });
});
