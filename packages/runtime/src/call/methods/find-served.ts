import { createInvalidParamsError, type ProtocolError } from "../../api/errors.js";
import type { Call } from "../connection/call.js";
import type { Handler } from "../assembly/handlers.js";
import { findNearestName } from "../../data/problems/nearest-name.js";

/**
 * Finds a tool or prompt by its name.
 *
 * @throws ProtocolError for an unknown name, with the nearest known one
 */
export function findServed<Served extends { handler: Handler }>(
  all: ReadonlyMap<string, Served>,
  noun: "prompt" | "tool",
  name: unknown,
  call: Call,
): Served {
  if (typeof name !== "string") throw createInvalidParamsError(`\`name\` must be the name of a ${noun}.`);
  const found = all.get(name);
  if (found?.handler.isEnabled(call) === true) return found;
  throw createNotServedError(all, noun, name, call);
}

/** Returns the error for an unknown name, with the nearest known one. */
export function createNotServedError<Served extends { handler: Handler }>(
  all: ReadonlyMap<string, Served>,
  noun: "prompt" | "tool",
  name: string,
  call: Call,
): ProtocolError {
  const others = [...all].flatMap(([each, { handler }]) =>
    each !== name && handler.isEnabled(call) ? each : [],
  );
  const nearest = findNearestName(name, others);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  return createInvalidParamsError(`Unknown ${noun} "${name.slice(0, 128)}".${hint}`);
}
