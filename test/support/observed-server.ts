import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { LogEntry } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { buildServer } from "./built-server.js";

/** A built server, with everything that its operators see. */
export interface ObservedServer {
  readonly server: Server;
  /** Log entries since the last `clear`, audits included. */
  readonly entries: readonly LogEntry[];
  /** Returns the messages of the errors that were logged. */
  errors(): string[];
  /** Returns the names, attributes, and statuses of the spans that have ended. */
  spans(): { name: string; attributes: object; status: object }[];
  /** Returns all log entries and spans as text, in which a secret can be searched. */
  asText(): string;
  clear(): void;
  remove(): void;
}

const CONFIG = `
  import { defineServer, type LogEntry } from "@tenon/runtime";
  import { audit } from "@tenon/runtime/log";
  import { telemetry, type TelemetryOptions } from "@tenon/runtime/telemetry";
  const { entries, tracerProvider } = globalThis as unknown as TelemetryOptions & { entries: LogEntry[] };
  export default defineServer({
    log: (entry) => entries.push(entry),
    observe: [audit({ arguments: true }), telemetry({ tracerProvider, arguments: true, results: true })],
  });`;

/** Builds a server whose log, audit, and traces are observed. @param name the name of the test that loads it */
export async function buildObservedServer(
  name: string,
  sources: Record<string, string>,
): Promise<ObservedServer> {
  const entries: LogEntry[] = [];
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  Object.assign(globalThis, { entries, tracerProvider });
  const built = await buildServer({ ...sources, "src/server.ts": CONFIG });
  const server = await built.load(name);
  const spans: ObservedServer["spans"] = () =>
    exporter.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status }));
  return {
    server,
    entries,
    errors: () => entries.flatMap(({ err }) => (err === undefined ? [] : `${err.type}: ${err.message}`)),
    spans,
    asText: () => JSON.stringify([entries.map(({ err, ...entry }) => ({ ...entry, ...err })), spans()]),
    clear: () => {
      entries.length = 0;
      exporter.reset();
    },
    remove: () => {
      built.remove();
      Reflect.deleteProperty(globalThis, "entries");
      Reflect.deleteProperty(globalThis, "tracerProvider");
    },
  };
}
