import type { LogSink } from "../../api/log.js";
import type { CallSummary, ObservedCall, Observer } from "../../api/observer.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { LeveledSink } from "./text-log.js";
import { maskSecrets } from "./mask-secrets.js";
import { hasSecretUri, redactArguments, redactName, redactReason, redactUri } from "./redacted-call.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

/** The methods that call handlers. Lists and similar methods are not audited. */
const AUDITED: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

/** Options of `audit`. */
export interface AuditOptions {
  /** Whether to add the arguments, and the messages of failures, which may repeat them. `@secret` arguments are masked. */
  arguments?: boolean | undefined;
  /**
   * Receives the audit, including requests that were rejected before they became calls. Default: the log of the server.
   */
  log?: LogSink | undefined;
}

/**
 * Creates an observer that logs one line for each call to a tool, a prompt, or a resource, and for each completion: the
 * caller, the target, the duration, and the outcome. Rejected calls are included. The lines have the level `info`; a
 * server whose log omits that level does not start, unless the audit has its own `log`.
 *
 * @example
 * export default defineServer({ log: jsonLog(), observe: [audit({ arguments: true })] });
 */
export function audit(options: AuditOptions = {}): Observer {
  checkOptionNames<AuditOptions>("audit", options, { arguments: true, log: true });
  const { arguments: withArguments = false, log } = options;
  let sink = log;
  return {
    attach: (server) => {
      if (log === undefined) checkLevel(server.log);
      // The newest server, since a test starts several with one configuration.
      sink = log ?? server.log;
    },
    requestRejected: ({ reason, principal, ...request }) => {
      // The server's own log already has it.
      const { subject } = principal ?? {};
      const text = maskSecrets(reason);
      log?.({
        level: "info",
        event: "rejected",
        msg: `rejected: ${text}`,
        reason: text,
        ...request,
        subject,
      });
    },
    observe: (call) => {
      if (!AUDITED.has(call.method)) return undefined;
      return {
        end: (end) => {
          const { subject } = call.principal ?? {};
          const by = subject === undefined ? "" : ` by ${subject}`;
          const from = call.address === undefined ? "" : ` from ${call.address}`;
          const ms = Math.round(end.durationMs * 10) / 10;
          const what = describeTarget(call);
          const msg = `${call.method} ${what.target}: ${end.outcome} in ${ms} ms${by}${from}`;
          const described = {
            ...what,
            outcome: end.outcome,
            ms,
            ...describeFailure(end),
            ...describeCaller(call),
          };
          const details = withArguments
            ? { arguments: redactArguments(call), reason: redactReason(call, end.reason) }
            : {};
          sink?.({ level: "info", event: "call", msg, ...described, ...details });
        },
      };
    },
  };
}

/** Rejects a log that omits the lines of the audit, which would be missing without a notice. */
function checkLevel({ minLevel = "info" }: LogSink & Partial<LeveledSink>): void {
  if (minLevel === "debug" || minLevel === "info") return;
  throw new TypeError(
    `\`audit()\` writes lines of the level "info", which \`log\` omits, since its level is "${minLevel}". ` +
      'Set the level to "info", or give the audit its own log, such as audit({ log: jsonLog() }).',
  );
}

/** Returns the target of a call; for an unknown name, the name that the client sent. */
function describeTarget(call: ObservedCall): { target: string; uri?: string } {
  const { name: given, uri, ref } = call.params;
  const referred = isObject(ref) ? (ref.name ?? ref.uri) : undefined;
  const shown = hasSecretUri(call) ? "(secret)" : redactName(String(given ?? uri ?? referred ?? ""));
  const redacted = redactUri(call);
  return { target: call.name ?? shown, ...(redacted !== undefined && { uri: redacted }) };
}

function describeFailure({ code, reference }: CallSummary): object {
  return { ...(code !== undefined && { code }), ...(reference !== undefined && { reference }) };
}

function describeCaller({
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
    // The client's name is not verified.
    ...(info && { application: `${info.name} ${info.version}`.slice(0, 128) }),
    transport,
    revision,
    ...(session && { session: session.id }),
    // The client chooses the ID, which may have any length.
    id: typeof id === "string" ? id.slice(0, 128) : id,
  };
}
