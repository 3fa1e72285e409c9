/**
 * Spans and metrics of OpenTelemetry: `@tenon/runtime/telemetry`.
 * @module
 */
import type { Context, Histogram, Link, MeterProvider, Span, TracerProvider } from "@opentelemetry/api";
import type { CallEnd, ObservedCall, Observer } from "../api/observer.js";
import { argumentsOf, shortened } from "../log/shown-call.js";
import { maskSecrets } from "../log/mask-secrets.js";
import { api } from "./load-api.js";
import { contextOf } from "./propagation.js";
import { atEnd, atStart, METHOD, ofMetrics } from "./attributes.js";

const { context, metrics, SpanKind, SpanStatusCode, trace } = api;

const SCOPE = "@tenon/runtime";

/** In seconds, as the conventions have them. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

export interface TelemetryOptions {
  /** Default: what is registered globally, as SDKs do it. */
  tracerProvider?: TracerProvider;
  /** Default: what is registered globally. */
  meterProvider?: MeterProvider;
  /** False begins a trace with each request and links it to the client's: for servers whom anybody may call. Default true. */
  remoteParent?: boolean;
  /** Writes the arguments of tools into their spans, those tagged `@secret` masked. Default false. */
  arguments?: boolean;
  /** Writes what tools answer into their spans. Default false. */
  results?: boolean;
}

/**
 * A span and a measured duration for each request, by the semantic conventions for MCP. The handler runs inside the span,
 * so that what it does is traced under it. Where the client sent the context of a trace, in `_meta` or in headers, the span
 * is a part of that trace.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 * @see https://modelcontextprotocol.io/community/seps/414-request-meta
 * @example
 * export default defineServer({ observe: [telemetry()] });
 */
export function telemetry(options: TelemetryOptions = {}): Observer {
  const { tracerProvider = trace, meterProvider = metrics, remoteParent = true } = options;
  let duration: Histogram | undefined;
  return {
    observe: (call) => {
      const { parent, links } = contextOf(call, remoteParent);
      const span = startSpan(tracerProvider, call, parent, links);
      const inside = trace.setSpan(parent, span);
      return {
        run: (serve) => context.with(inside, serve),
        end: (end) => {
          finishSpan(span, call, end, options);
          // An SDK may be registered after the server is made.
          duration ??= createDuration(meterProvider);
          duration.record(end.durationMs / 1000, ofMetrics(call, end), inside);
        },
      };
    },
  };
}

function startSpan(provider: TracerProvider, call: ObservedCall, parent: Context, links: Link[]): Span {
  const attributes = atStart(call);
  const options = { kind: SpanKind.SERVER, attributes, links };
  return provider.getTracer(SCOPE).startSpan(String(attributes[METHOD]), options, parent);
}

function finishSpan(span: Span, call: ObservedCall, end: CallEnd, options: TelemetryOptions): void {
  const attributes = atEnd(call, end);
  span.setAttributes(attributes);
  const target = attributes["gen_ai.tool.name"] ?? attributes["gen_ai.prompt.name"];
  if (target !== undefined) span.updateName(`${call.method} ${String(target)}`);
  if (call.method === "tools/call") {
    const sent = options.arguments === true ? argumentsOf(call) : undefined;
    if (sent !== undefined) span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(sent));
    if (options.results === true && end.result !== undefined) {
      const answered = shortened(JSON.stringify(end.result));
      span.setAttribute("gen_ai.tool.call.result", JSON.stringify(answered));
    }
  }
  if (attributes["error.type"] !== undefined) {
    // The words of a tool may repeat its arguments.
    const message = end.code === undefined ? {} : { message: maskSecrets(end.reason ?? "") };
    span.setStatus({ code: SpanStatusCode.ERROR, ...message });
  }
  span.end();
}

function createDuration(provider: MeterProvider): Histogram {
  return provider.getMeter(SCOPE).createHistogram("mcp.server.operation.duration", {
    description: "How long the server takes for a request, from its arrival to its answer.",
    unit: "s",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
}
