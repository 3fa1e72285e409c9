import type { Invocation } from "../connection/invocation.js";
import { ProtocolError, ToolError } from "../api/errors.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { declares, missingCapability } from "./questions/capabilities.js";
import { urlQuestion } from "./questions/questions.js";
import { isUrlRequired } from "./is-url-required.js";
import { checkWebUrl } from "./questions/web-url.js";

/** Passes on what a handler throws; an error that asks for a URL becomes what the revision has for it. */
export async function rethrow({ call, asker }: Invocation, error: unknown): Promise<never> {
  if (!isUrlRequired(error)) throw error;
  const needs = { elicitation: { url: {} } };
  const { asks } = call.revision;
  if (asks.url === "none" || !declares(call.client.capabilities, needs)) throw missingCapability(call, needs);
  if (asks.by === "request" || asker === undefined) {
    const { peer, elicitations: known, log, sanitize } = call.session;
    const elicitations = error.elicitations.map(({ message, url, id = globalThis.crypto.randomUUID() }) => {
      checkWebUrl(url, log);
      known.begin(id, peer);
      return { mode: "url", message: sanitize(message), url, elicitationId: id };
    });
    throw new ProtocolError(ErrorCode.UrlElicitationRequired, error.message, { elicitations });
  }
  const answers = await Promise.all(
    error.elicitations.map(({ message, url }, index) =>
      asker.ask(
        urlQuestion(call, call.session.sanitize(message), url, undefined, {
          key: `url-required-${index + 1}`,
        }),
      ),
    ),
  );
  const agreed = answers.every((action) => action === "accept");
  throw new ToolError(
    agreed ? "The user is not done at the URL yet. Try again later." : "The user did not open the URL.",
  );
}
