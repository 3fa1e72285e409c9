import type { Call } from "./call.js";
import type { CallServer } from "./call-server.js";

/** The problems that have been logged, so that a loop or a busy server does not fill the log. */
const logged = new WeakMap<CallServer, Set<string>>();

/**
 * Logs, once per handler, that the client does not receive a value. It does not throw: a call must not fail because of a
 * report about it. An entry reads: "The total of progress must be a finite number, but is NaN, so it is not sent (in
 * "copy"; logged once)."
 */
export function logUnsent(call: Call, subject: string, requirement: string, value: unknown): void {
  const { server, method, params } = call;
  // The URI of a resource is omitted, since there may be any number of them.
  const handler = typeof params.name === "string" ? params.name : method;
  const known = logged.get(server) ?? new Set();
  logged.set(server, known);
  const key = `${subject} ${handler}`;
  if (known.has(key)) return;
  known.add(key);
  const msg = `${subject} must be ${requirement}, but is ${String(value)}, so it is not sent (in "${handler}"; logged once).`;
  server.log({ level: "warn", event: "warning", msg });
}
