/**
 * Spans and metrics of OpenTelemetry: `@tenon/runtime/telemetry`.
 * @module
 */
import type { Context, Histogram, Link, MeterProvider, Span, TracerProvider } from "@opentelemetry/api";
import type { CallSummary, ObservedCall, Observer } from "../../api/observer.js";
import { redactArguments, redactReason, redactResult } from "../log/redacted-call.js";
import { api } from "./load-api.js";
import { getContext } from "./propagation.js";
import { getEndAttributes, getStartAttributes, METHOD, getMetricAttributes } from "./attributes.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

const { context, metrics, SpanKind, SpanStatusCode, trace } = api;

const SCOPE = "@tenon/runtime";

/** Upper limits of the duration buckets in the conventions, in seconds. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /** Default: the globally registered provider, which SDKs set. */
  tracerProvider?: TracerProvider | undefined;
  /** Default: the globally registered provider. */
  meterProvider?: MeterProvider | undefined;
  /**
   * If false, each request starts a new trace that links to the client's trace. Use it for public servers. Default:
   * true.
   */
  remoteParent?: boolean | undefined;
  /** Whether to add the arguments of tools to their spans, with `@secret` arguments masked. Default: false. */
  arguments?: boolean | undefined;
  /** Whether to add the results of tools to their spans. Default: false. */
  results?: boolean | undefined;
}

/**
 * Creates an observer that records a span and a duration for each request, according to the semantic conventions for
 * MCP. The handler runs inside the span, so that its own spans are children. If the client sent a trace context, in
 * `_meta` or in headers, the span is part of that trace.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 * @see https://modelcontextprotocol.io/community/seps/414-request-meta
 * @example
 * export default defineServer({ observe: [telemetry()] });
 */
export function telemetry(options: TelemetryOptions = {}): Observer {
  checkOptionNames<TelemetryOptions>("telemetry", options, {
    tracerProvider: true,
    meterProvider: true,
    remoteParent: true,
    arguments: true,
    results: true,
  });
  const { tracerProvider = trace, meterProvider = metrics, remoteParent = true } = options;
  let duration: Histogram | undefined;
  return {
    observe: (call) => {
      const { parent, links } = getContext(call, remoteParent);
      const span = startSpan(tracerProvider, call, parent, links);
      const spanContext = trace.setSpan(parent, span);
      return {
        run: (serve) => context.with(spanContext, serve),
        end: (end) => {
          finishSpan(span, call, end, options);
          // An SDK may be registered after the server is created.
          duration ??= createDuration(meterProvider);
          duration.record(end.durationMs / 1000, getMetricAttributes(call, end), spanContext);
        },
      };
    },
  };
}

function startSpan(provider: TracerProvider, call: ObservedCall, parent: Context, links: Link[]): Span {
  const attributes = getStartAttributes(call);
  const options = { kind: SpanKind.SERVER, attributes, links };
  return provider.getTracer(SCOPE).startSpan(String(attributes[METHOD]), options, parent);
}

function finishSpan(span: Span, call: ObservedCall, end: CallSummary, options: TelemetryOptions): void {
  const attributes = getEndAttributes(call, end);
  span.setAttributes(attributes);
  const target = attributes["gen_ai.tool.name"] ?? attributes["gen_ai.prompt.name"];
  if (target !== undefined) span.updateName(`${call.method} ${String(target)}`);
  if (call.method === "tools/call") {
    const sent = options.arguments === true ? redactArguments(call) : undefined;
    if (sent !== undefined) span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(sent));
    if (options.results === true && end.result !== undefined)
      span.setAttribute("gen_ai.tool.call.result", JSON.stringify(redactResult(call, end.result)));
  }
  if (attributes["error.type"] !== undefined) {
    // The message of a tool may repeat its arguments.
    const message = end.code === undefined ? {} : { message: redactReason(call, end.reason) ?? "" };
    span.setStatus({ code: SpanStatusCode.ERROR, ...message });
  }
  span.end();
}

function createDuration(provider: MeterProvider): Histogram {
  return provider.getMeter(SCOPE).createHistogram("mcp.server.operation.duration", {
    description: "Duration of a request, from its arrival to its response.",
    unit: "s",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
}
