/**
 * The arguments, the URI, and the failure of a call with secrets masked, for the operators of the server.
 * @module
 */
import type { ObservedCall } from "../../api/observer.js";
import { hasSecrets, withoutSecrets } from "../../data/problems/secrets.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { createKnownMask } from "./known-secrets.js";
import { maskSecrets, maskValue } from "./mask-secrets.js";

/** Maximum length of a logged value, as JSON. Longer ones are replaced with their length. */
const MAX_CHARACTERS = 8192;

/**
 * Returns the arguments of a tool or a prompt with secrets masked; undefined if no schema specifies which of them are
 * secret.
 */
export function redactArguments({ method, params, argumentsSchema }: ObservedCall): unknown {
  // The server ignores `arguments` in other requests. Some models write all arguments as one string.
  const given = /^(?:tools|prompts)\//.test(method) ? (params.arguments ?? undefined) : undefined;
  if (argumentsSchema === undefined || given === undefined) return undefined;
  return redactJson(JSON.stringify(withoutSecrets(argumentsSchema, given, [])));
}

/** Returns a result with secrets masked, including secrets of the call that it repeats. */
export function redactResult({ secrets }: ObservedCall, result: object): unknown {
  return redactJson(JSON.stringify(result), createKnownMask(secrets));
}

/** Returns a JSON value with secrets masked, or a note of its length. */
function redactJson(text: string, mask?: (text: string) => string): unknown {
  return text.length > MAX_CHARACTERS ? `(${text.length} characters)` : maskValue(JSON.parse(text), mask);
}

/** Returns the URI of a request for a resource; undefined if it may contain a secret argument. */
export function redactUri(call: ObservedCall): string | undefined {
  const { uri } = call.params;
  return call.method.startsWith("resources/") && typeof uri === "string" && !hasSecretUri(call)
    ? redactName(uri)
    : undefined;
}

/**
 * Maximum number of characters that are logged of a name that a client sent, and maximum number that are searched for
 * secrets.
 */
const MAX_NAME_CHARACTERS = 256;
const MAX_SEARCHED_CHARACTERS = 4096;

/**
 * Returns the beginning of a name or URI that a client sent, with secrets masked, including those that cross its end.
 */
export function redactName(text: string): string {
  return maskSecrets(text.slice(0, MAX_SEARCHED_CHARACTERS)).slice(0, MAX_NAME_CHARACTERS);
}

/** Returns whether a request, or the reference of a completion, may have a URI with a secret argument. */
export function hasSecretUri({ params: { uri, ref }, argumentsSchema }: ObservedCall): boolean {
  const hasUri = uri !== undefined || (isObject(ref) && ref.uri !== undefined);
  return hasUri && argumentsSchema !== undefined && hasSecrets(argumentsSchema);
}

/** Returns the message that the client receives about a failure; undefined if it may contain a secret URI. */
export function redactReason(call: ObservedCall, reason: string | undefined): string | undefined {
  return reason === undefined || hasSecretUri(call) ? undefined : createKnownMask(call.secrets)(reason);
}
