import type { Call } from "../call.js";
import { ProtocolError, ToolError } from "../errors.js";
import { ErrorCode } from "../jsonrpc.js";
import { declares, missingCapability } from "./capabilities.js";
import { urlQuestion } from "./questions.js";

/** A URL that the user has to visit before a request can be served. */
export interface RequiredUrl {
  message: string;
  url: string;
  /** The `elicitationId`, where the revision has one. Default: an id that cannot be guessed. */
  id?: string;
}

/** A global symbol, so that errors of another copy of this package are recognised too. */
const URL_REQUIRED = Symbol.for("tenon.url-required");

/**
 * Thrown by a handler that cannot do its work before the user has been at a URL, such as one where access is
 * granted. The client is told in the way of its revision, and calls again.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 * @example
 * if (!token) throw new UrlElicitationRequiredError([{ message: "Connect your calendar.", url: flow.url }]);
 */
export class UrlElicitationRequiredError extends Error {
  override name = "UrlElicitationRequiredError";

  constructor(readonly elicitations: readonly RequiredUrl[]) {
    super(elicitations.map(({ message, url }) => `${message} (${url})`).join("\n"));
  }

  get [URL_REQUIRED](): true {
    return true;
  }
}

/** True for a `UrlElicitationRequiredError` of this or any other copy of the package. */
export function isUrlRequired(error: unknown): error is UrlElicitationRequiredError {
  return (
    typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[URL_REQUIRED] === true
  );
}

/** Passes on what a handler throws; an error that asks for a URL becomes what the revision has for it. */
export async function rethrow(call: Call, error: unknown): Promise<never> {
  if (!isUrlRequired(error)) throw error;
  const needs = { elicitation: { url: {} } };
  const { asks } = call.revision;
  if (asks.url === "none" || !declares(call.caller.capabilities, needs)) throw missingCapability(call, needs);
  if (asks.by === "request" || call.asker === undefined) {
    const elicitations = error.elicitations.map(({ message, url, id = globalThis.crypto.randomUUID() }) => ({
      mode: "url",
      message,
      url,
      elicitationId: id,
    }));
    throw new ProtocolError(ErrorCode.UrlElicitationRequired, error.message, { elicitations });
  }
  const { asker } = call;
  const answers = await Promise.all(
    error.elicitations.map(({ message, url }, index) =>
      asker.ask(urlQuestion(call, message, url, undefined, { key: `url-required-${index + 1}` })),
    ),
  );
  const agreed = answers.every((action) => action === "accept");
  throw new ToolError(
    agreed ? "The user is not done at the URL yet. Try again later." : "The user did not open the URL.",
  );
}
