import type { CreateClientInput } from "./client-input.js";
import { createClientInput } from "./create-client-input.js";
import { type UrlElicitation, URL_REQUIRED } from "./is-url-required.js";
import { parseWebUrl } from "../questions/web-url.js";

/**
 * Thrown by a handler that cannot continue before the user has visited a URL, such as one where the user grants access.
 * The client receives the URL as its revision requires, and calls again.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 * @example
 * if (!token) throw new UrlElicitationRequiredError([{ message: "Connect your calendar.", url: flow.url }]);
 */
export class UrlElicitationRequiredError extends Error {
  override name = "UrlElicitationRequiredError";

  /** @throws TypeError for a URL that a browser cannot open */
  constructor(readonly elicitations: readonly UrlElicitation[]) {
    super(elicitations.map(({ message, url }) => `${message} (${url})`).join("\n"));
    for (const { url } of elicitations) parseWebUrl(url);
  }

  /**
   * Requests input in servers whose handlers declare no `Context`. Only this import adds the code to their bundles.
   */
  get [URL_REQUIRED](): CreateClientInput {
    return createClientInput;
  }
}
