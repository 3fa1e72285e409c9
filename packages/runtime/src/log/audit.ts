import type { LogSink } from "../api/log.js";
import type { CallEnd, ObservedCall, Observer } from "../api/observer.js";
import { isObject } from "../protocol/jsonrpc.js";
import { maskSecrets } from "./mask-secrets.js";
import { argumentsOf, uriOf } from "./shown-call.js";

/** Calls of what the author wrote; lists and the like tell nobody anything. */
const AUDITED: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

export interface AuditOptions {
  /** Tells what was called with, and the words of what failed, which may repeat it. `@secret` arguments are masked. */
  arguments?: boolean;
  /** Where the lines go, and those of requests that were refused before they became calls. Default: the log of the server. */
  log?: LogSink;
}

/**
 * One line in the log for each call of a tool, a prompt or a resource, and for each completion: who, what, how long, and how
 * it ended. Calls that are refused have one too.
 *
 * @example
 * export default defineServer({ log: jsonLog(), observe: [audit({ arguments: true })] });
 */
export function audit({ arguments: withArguments = false, log }: AuditOptions = {}): Observer {
  let sink = log;
  return {
    attach: (server) => {
      sink ??= server.log;
    },
    refused: ({ reason, principal, ...refused }) => {
      // The server has told its own log.
      const { subject } = principal ?? {};
      const told = maskSecrets(reason);
      log?.({ level: "info", event: "refused", msg: `refused: ${told}`, reason: told, ...refused, subject });
    },
    observe: (call) => {
      if (!AUDITED.has(call.method)) return undefined;
      return {
        end: (end) => {
          const { subject } = call.principal ?? {};
          const by = subject === undefined ? "" : ` by ${subject}`;
          const from = call.address === undefined ? "" : ` from ${call.address}`;
          const ms = Math.round(end.durationMs * 10) / 10;
          const what = whatOf(call);
          const msg = `${call.method} ${what.target}: ${end.outcome} in ${ms} ms${by}${from}`;
          const described = { ...what, outcome: end.outcome, ms, ...detailsOf(end), ...whoOf(call) };
          const asked = withArguments ? { arguments: argumentsOf(call), reason: end.reason } : {};
          sink?.({ level: "info", event: "call", msg, ...described, ...asked });
        },
      };
    },
  };
}

/** What was called; of a name that there is not, what the client sent for one. */
function whatOf(call: ObservedCall): { target: string; uri?: string } {
  const { name: given, uri, ref } = call.params;
  const referred = isObject(ref) ? (ref.name ?? ref.uri) : undefined;
  const sent = maskSecrets(String(given ?? uri ?? referred ?? "").slice(0, 256));
  const shown = uriOf(call);
  return { target: call.name ?? sent, ...(shown !== undefined && { uri: shown }) };
}

function detailsOf({ code, reference }: CallEnd): object {
  return { ...(code !== undefined && { code }), ...(reference !== undefined && { reference }) };
}

function whoOf({
  principal,
  address,
  client,
  id,
  revision,
  session,
  transport,
  method,
}: ObservedCall): object {
  const { info } = client;
  return {
    method,
    ...(principal && { subject: principal.subject, client: principal.client, issuer: principal.issuer }),
    ...(address !== undefined && { address }),
    // What it says of itself proves nothing.
    ...(info && { application: `${info.name} ${info.version}`.slice(0, 128) }),
    transport,
    revision,
    ...(session && { session: session.id }),
    id,
  };
}
