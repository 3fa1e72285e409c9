/**
 * Prints one line for each span. In production, use an exporter that sends spans to a collector. Load this module before the
 * server: `node --import ./telemetry.mjs dist/server.js`.
 */
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

/** @type {import("@opentelemetry/sdk-trace-base").SpanExporter} */
const lines = {
  export: (spans, done) => {
    for (const { name, duration, attributes } of spans) {
      const [seconds, nanoseconds] = duration;
      const failure = attributes["error.type"] === undefined ? "" : `  ${attributes["error.type"]}`;
      console.error(`span  ${name}  ${(seconds * 1e3 + nanoseconds / 1e6).toFixed(1)} ms${failure}`);
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};

trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(lines)] }));
