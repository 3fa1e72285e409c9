import { parseWebUrl } from "./web-url.js";

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

  /** @throws TypeError when one of the URLs is none that a browser can open */
  constructor(readonly elicitations: readonly RequiredUrl[]) {
    super(elicitations.map(({ message, url }) => `${message} (${url})`).join("\n"));
    for (const { url } of elicitations) parseWebUrl(url);
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
