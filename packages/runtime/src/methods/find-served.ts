import { invalidParams, type ProtocolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import type { Handler } from "../assembly/handlers.js";
import { nearestName } from "../explain/nearest-name.js";

/**
 * The tool or prompt of that name.
 *
 * @throws ProtocolError when there is none, with the nearest name that there is
 */
export function findServed<Served extends { handler: Handler }>(
  all: ReadonlyMap<string, Served>,
  noun: "prompt" | "tool",
  name: unknown,
  call: Call,
): Served {
  if (typeof name !== "string") throw invalidParams(`\`name\` must be the name of a ${noun}.`);
  const found = all.get(name);
  if (found?.handler.isEnabled(call) === true) return found;
  throw notServed(all, noun, name, call);
}

/** The error for a name that there is not, with the nearest that there is. */
export function notServed<Served extends { handler: Handler }>(
  all: ReadonlyMap<string, Served>,
  noun: "prompt" | "tool",
  name: string,
  call: Call,
): ProtocolError {
  const others = [...all].flatMap(([each, { handler }]) =>
    each !== name && handler.isEnabled(call) ? each : [],
  );
  const nearest = nearestName(name, others);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  return invalidParams(`Unknown ${noun} "${name.slice(0, 128)}".${hint}`);
}
