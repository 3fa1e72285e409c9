import type { Call } from "../connection/call.js";
import { ProtocolError, ToolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { hasCapabilities, createMissingCapabilityError } from "../questions/capabilities.js";
import { createUrlQuestion } from "../questions/questions.js";
import type { UrlRequired } from "./is-url-required.js";
import { checkWebUrl } from "../questions/web-url.js";

/**
 * Sends the user to the URLs of an error, as the call's revision requires.
 *
 * @throws ProtocolError with the URLs, or ToolError after the user has responded
 */
export async function requestUrl(call: Call, error: UrlRequired): Promise<never> {
  const { inputRequester } = call;
  const needs = { elicitation: { url: {} } };
  const { clientRequests } = call.revision;
  if (clientRequests.url === "none" || !hasCapabilities(call.client.capabilities, needs))
    throw createMissingCapabilityError(call, needs);
  if (clientRequests.by === "request" || inputRequester === undefined) {
    const { elicitations: known, log, sanitize } = call.server;
    const { peer = call.peer } = call.session ?? {};
    const elicitations = error.elicitations.map(({ message, url, id = globalThis.crypto.randomUUID() }) => {
      checkWebUrl(url, log);
      known.begin(id, peer);
      return { mode: "url", message: sanitize(message), url, elicitationId: id };
    });
    throw new ProtocolError(ErrorCode.UrlElicitationRequired, error.message, { elicitations });
  }
  const answers = await Promise.all(
    error.elicitations.map(({ message, url }, index) =>
      inputRequester.ask(
        createUrlQuestion(call, call.server.sanitize(message), url, undefined, {
          key: `url-required-${index + 1}`,
        }),
      ),
    ),
  );
  const hasAccepted = answers.every((action) => action === "accept");
  throw new ToolError(
    hasAccepted
      ? "The user has not completed the interaction at the URL yet. Try again later."
      : "The user did not open the URL.",
  );
}
