/**
 * The methods of the lifecycle: `server/discover` (modern); `initialize` and `ping` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import { isImplementation } from "../../protocol/client-description.js";
import { createInvalidParamsError, createBadRequestError } from "../../api/errors.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectImplementation } from "../../protocol/projection.js";
import type { ClientCapabilities, ServerCapabilities } from "../../protocol/specification.js";
import { findRevision, LATEST_LEGACY, type Revision, listRevisionIds } from "../../protocol/revisions.js";
import type { ServerParts } from "../stages/stage.js";
import type { Method } from "./method.js";
import type { AnnouncedChanges } from "../subscriptions/subscriptions.js";

/**
 * Creates the methods of the lifecycle.
 *
 * @param getCapabilities returns the capabilities in a revision; `announced` is undefined for clients that cannot be
 *   notified
 */
export function createLifecycleMethods(
  { settings, write, subscriptions }: ServerParts,
  getCapabilities: (revision: Revision, announced: AnnouncedChanges | undefined) => ServerCapabilities,
): Record<string, Method> {
  const discoverHint = settings.getCacheHint("discover", true);

  /** Returns the capabilities and the instructions. */
  const describeServer = (revision: Revision, canBeNotified: boolean) => {
    const announced = canBeNotified ? subscriptions?.announced : undefined;
    const { logging, ...others } = getCapabilities(revision, announced);
    const capabilities = { ...others, ...(canBeNotified && logging && { logging }) };
    return { capabilities, instructions: settings.instructions };
  };

  const texts = new Map<string, string>();
  /** Returns the text of a result, which is written only once. Clients without sessions send one of these requests per call. */
  const writeOnce = (key: string, createText: () => string): string => {
    const text = texts.get(key) ?? createText();
    texts.set(key, text);
    return text;
  };

  return {
    "server/discover": ({ revision }) =>
      writeOnce(revision.id, () => {
        const result = { supportedVersions: listRevisionIds("modern"), ...describeServer(revision, true) };
        return write(revision, result, { hint: discoverHint });
      }),

    initialize: ({ session, params }) => {
      const { protocolVersion, capabilities, clientInfo } = params;
      if (typeof protocolVersion !== "string")
        throw createInvalidParamsError("`protocolVersion` must be a string.");
      if (session?.revision !== undefined) {
        throw createBadRequestError("The session is already open: send `initialize` only once.");
      }
      const revision = findRevision(protocolVersion, "legacy") ?? LATEST_LEGACY;
      session?.open(revision, {
        capabilities: isObject(capabilities) ? (capabilities as ClientCapabilities) : {},
        ...(isImplementation(clientInfo) && { info: clientInfo }),
      });
      if (session !== undefined) subscriptions?.subscribeToLists(session);
      // A legacy client without a session cannot be notified, and its log level would be forgotten.
      const canBeNotified = session !== undefined;
      return writeOnce(`${revision.id} ${canBeNotified}`, () =>
        write(revision, {
          protocolVersion: revision.id,
          serverInfo: projectImplementation(settings.info, revision),
          ...describeServer(revision, canBeNotified),
        }),
      );
    },

    ping: ({ revision }) => write(revision, {}),
  };
}
