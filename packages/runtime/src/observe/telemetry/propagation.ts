import type { Context, Link, TextMapGetter } from "@opentelemetry/api";
import type { ObservedCall } from "../../api/observer.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { api } from "./load-api.js";

const { context, propagation, ROOT_CONTEXT, trace } = api;

/** The parent span of a request, and links to related ones. */
export interface TraceContext {
  readonly parent: Context;
  readonly links: Link[];
}

/**
 * Returns the trace context of a request: the one in its `_meta`, otherwise the active one (for example of HTTP
 * instrumentation), otherwise the one in its headers. An active context that is not the parent is linked.
 *
 * @param remoteParent false if a client's trace is only linked
 */
export function getContext(call: ObservedCall, remoteParent: boolean): TraceContext {
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const fromMeta = propagation.extract(ROOT_CONTEXT, call, META);
  const isInMeta = trace.getSpanContext(fromMeta) !== undefined;
  const sent =
    isInMeta || ambient !== undefined ? fromMeta : propagation.extract(ROOT_CONTEXT, call, HEADERS);
  const remote = trace.getSpanContext(sent);
  if (remote === undefined) return { parent: active, links: [] };
  if (!remoteParent) return { parent: active, links: [{ context: remote }] };
  // Keeps the other values of the active context.
  const parent = trace.setSpanContext(active, remote);
  const baggage = propagation.getBaggage(sent);
  return {
    parent: baggage === undefined ? parent : propagation.setBaggage(parent, baggage),
    links: ambient === undefined ? [] : [{ context: ambient }],
  };
}

const META: TextMapGetter<ObservedCall> = {
  keys: ({ params }) => (isObject(params._meta) ? Object.keys(params._meta) : []),
  get: ({ params }, key) => {
    const value = isObject(params._meta) && Object.hasOwn(params._meta, key) ? params._meta[key] : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

const HEADERS: TextMapGetter<ObservedCall> = {
  keys: () => [],
  get: (call, key) => call.header(key),
};
