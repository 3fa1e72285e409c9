import type { Call } from "./call.js";
import type { CallServer } from "./call-server.js";
import { shorten } from "../../data/problems/shorten.js";

/** The subjects that have been logged, so that a loop or a busy server does not fill the log. */
const logged = new WeakMap<CallServer, Set<string>>();

/**
 * Logs, once per handler, that the client does not receive a value. It does not throw: a call must not fail because of a
 * report about it. An entry reads: "The total of progress must be a finite number, but is NaN, so it is not sent (in
 * "copy"; logged once)."
 */
export function logUnsent(call: Call, subject: string, requirement: string, value: unknown): void {
  const shown = typeof value === "number" ? value : shorten(value);
  logOnce(
    call,
    subject,
    (handler) =>
      `${subject} must be ${requirement}, but is ${shown}, so it is not sent (in "${handler}"; logged once).`,
  );
}

function logOnce(call: Call, subject: string, write: (handler: string) => string): void {
  const { server, method, params } = call;
  // The URI of a resource is omitted, since there may be any number of them.
  const handler = typeof params.name === "string" ? params.name : method;
  const known = logged.get(server) ?? new Set();
  logged.set(server, known);
  const key = `${subject} ${handler}`;
  if (known.has(key)) return;
  known.add(key);
  server.log({ level: "warn", event: "warning", msg: write(handler) });
}

/** Logs, once per handler, that a run used the key of a step again, so that only the first effect was performed. */
export function logRepeatedStep(call: Call, key: string): void {
  logOnce(
    call,
    "step",
    (handler) =>
      `The key "${key}" of a step was used twice in one run, so only the first effect was performed, and both have its ` +
      `result (in "${handler}"; logged once). Give each effect of a call its own key.`,
  );
}
