/**
 * What a call was made with, as far as it may be shown to those who run the server.
 * @module
 */
import type { ObservedCall } from "../api/observer.js";
import { withoutSecrets } from "../explain/show-value.js";
import { isObject } from "../protocol/jsonrpc.js";
import { maskSecrets, maskValue } from "./mask-secrets.js";

/** What is longer, as JSON, is told by its length. */
const MOST_CHARACTERS = 8192;

/** The arguments with secrets masked; none where nothing says which of them are. */
export function argumentsOf({ params, argumentsSchema }: ObservedCall): unknown {
  if (argumentsSchema === undefined || !isObject(params.arguments)) return undefined;
  return shortened(JSON.stringify(withoutSecrets(argumentsSchema, params.arguments, [])));
}

/** A value of JSON with secrets masked, or its length. */
export function shortened(text: string): unknown {
  return text.length > MOST_CHARACTERS ? `(${text.length} characters)` : maskValue(JSON.parse(text));
}

/** The URI of a request for a resource; none where a part of it is a secret argument. */
export function uriOf({ method, params, argumentsSchema }: ObservedCall): string | undefined {
  const { uri } = params;
  if (!method.startsWith("resources/") || typeof uri !== "string") return undefined;
  const isSecret =
    argumentsSchema !== undefined && JSON.stringify(argumentsSchema).includes('"writeOnly":true');
  return isSecret ? undefined : maskSecrets(uri.slice(0, 256));
}
