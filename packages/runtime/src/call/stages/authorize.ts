import { isToolError, ProtocolError, SignInError, ToolError } from "../../api/errors.js";
import { authorization, selectMiddleware } from "../../api/middleware.js";
import type { Auth } from "../../api/auth.js";
import { expandScopes } from "../../access/auth/scopes.js";
import type { Call, ScopedCall } from "../connection/call.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Settings } from "../assembly/settings.js";
import type { Stage } from "./stage.js";

/** Rejects callers without the scopes of the handler, unless `use` contains `authorization`: see `runMiddleware`. */
export const authorize: Stage = (next, { entry, handler }, { settings }) => {
  const { scopes } = entry;
  if (scopes === undefined) return next;
  const use = selectMiddleware([...settings.use, ...(handler.options.use ?? [])], handler.owner);
  const isCheckedLater = use.includes(authorization);
  return function checkCaller(call) {
    call.scopes = scopes;
    if (!isCheckedLater) checkScopes(call, entry, settings);
    return next(call);
  };
};

/** Hides the target from callers for whom its `authorize` callback rejects these arguments. */
export const authorizeArguments: Stage = (next, target) => {
  const { handler } = target;
  if (!handler.authorizesArguments || !target.callsHandler) return next;
  return function checkArguments(call) {
    if (!handler.allows(call, call.arguments ?? {})) throw target.createNotFoundError(call);
    return next(call);
  };
};

/**
 * Checks that a caller was granted the scopes of an entry. Over HTTP the error contains a challenge, so that the client can
 * request a token with the missing scopes; elsewhere the message names them. In OpenAI's dialect, a result contains the challenge.
 *
 * @throws ProtocolError or SignInError with a challenge, or ToolError
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-challenge-handling
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export function checkScopes(
  call: ScopedCall,
  entry: Scoped,
  { auth, hasOpenAiDialect }: Pick<Settings, "auth" | "hasOpenAiDialect">,
): void {
  const { peer, revision } = call;
  const missing = findMissingScopes(call, entry, auth);
  if (missing.length === 0) return;
  const { scopes = [] } = entry;
  const granted = peer.principal?.scopes ?? [];
  const names = missing.map((scope) => `\`${scope}\``).join(", ");
  const reason = `This request needs the ${missing.length === 1 ? "scope" : "scopes"} ${names}, which the caller was not granted.`;
  // Only a request with its own HTTP exchange has a status.
  if (auth === undefined || peer.endsWithResponse !== true) throw new ToolError(reason);
  const challenged =
    revision.challengedScopes === "operation" ? scopes : [...new Set([...granted, ...scopes])];
  const challenge = auth.challenge(challenged, reason, peer.header);
  if (hasOpenAiDialect && call.method === "tools/call" && isOpenAi(call))
    throw new SignInError(reason, challenge);
  const headers = { "www-authenticate": challenge };
  throw new ProtocolError(ErrorCode.InvalidRequest, reason, { scopes }, 403, headers);
}

/**
 * Checks that the sender of an answer has the scopes of the call that asked for it.
 *
 * @throws ProtocolError, with a challenge over HTTP
 */
export function checkSenderScopes(
  sender: ScopedCall,
  scopes: readonly string[],
  auth: Auth | undefined,
): void {
  try {
    // A challenge in a result belongs to the call, and an answer has no result.
    checkScopes(sender, { scopes }, { auth, hasOpenAiDialect: false });
  } catch (error) {
    throw isToolError(error) ? new ProtocolError(ErrorCode.InvalidRequest, error.message) : error;
  }
}

/**
 * Returns whether the client of a call is ChatGPT, which expects a challenge in the result of a tool, and does not react to the
 * status that the specification requires.
 *
 * @see https://developers.openai.com/plugins/reference
 */
function isOpenAi({ client }: ScopedCall): boolean {
  return client.info?.name.startsWith("openai") === true;
}

/** Something that callers need scopes for. */
interface Scoped {
  readonly scopes?: readonly string[] | undefined;
}

/** Returns the scopes of an entry that a caller was not granted. */
export function findMissingScopes(
  { peer }: Pick<Call, "peer">,
  { scopes = [] }: Scoped,
  auth: Auth | undefined,
): readonly string[] {
  if (scopes.length === 0) return scopes;
  const allowed = expandScopes(peer.principal?.scopes ?? [], auth?.scopes ?? {});
  return scopes.filter((scope) => !allowed.has(scope));
}
