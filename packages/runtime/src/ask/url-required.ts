import type { CreateAsking } from "./asking.js";
import { createClientAsking } from "./client-asking.js";
import { type RequiredUrl, URL_REQUIRED } from "./is-url-required.js";
import { parseWebUrl } from "./questions/web-url.js";

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

  /** Servers whose handlers declare no `Context` are bundled without what asks clients, but for this. */
  get [URL_REQUIRED](): CreateAsking {
    return createClientAsking;
  }
}
