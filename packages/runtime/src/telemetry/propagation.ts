import type { Context, Link, TextMapGetter } from "@opentelemetry/api";
import type { ObservedCall } from "../api/observer.js";
import { isObject } from "../protocol/jsonrpc.js";
import { api } from "./load-api.js";

const { context, propagation, ROOT_CONTEXT, trace } = api;

/** What a request is a part of, and what else it belongs to. */
export interface TraceContext {
  readonly parent: Context;
  readonly links: Link[];
}

/**
 * The context of a request: what its `_meta` says, else what is active already (as where HTTP is instrumented), else what
 * its headers say. What is active besides is linked.
 *
 * @param remoteParent false where a client's trace is only linked
 */
export function contextOf(call: ObservedCall, remoteParent: boolean): TraceContext {
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const ofMeta = propagation.extract(ROOT_CONTEXT, call, META);
  const isInMeta = trace.getSpanContext(ofMeta) !== undefined;
  const sent = isInMeta || ambient !== undefined ? ofMeta : propagation.extract(ROOT_CONTEXT, call, HEADERS);
  const remote = trace.getSpanContext(sent);
  if (remote === undefined) return { parent: active, links: [] };
  if (!remoteParent) return { parent: active, links: [{ context: remote }] };
  // What else is in the context that is active stays there.
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
