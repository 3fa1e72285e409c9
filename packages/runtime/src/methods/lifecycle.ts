/**
 * How a conversation opens and is kept: `server/discover` (modern); `initialize` and `ping` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import { isImplementation } from "../protocol/client-description.js";
import type { Session } from "../connection/session.js";
import { invalidParams, refusal } from "../api/errors.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectImplementation } from "../protocol/projection.js";
import type { ClientCapabilities, ServerCapabilities } from "../protocol/specification.js";
import { findRevision, LATEST_LEGACY, type Revision, revisionIds } from "../protocol/revisions.js";
import type { Method, MethodSource } from "./method.js";
import type { AnnouncedChanges } from "../subscriptions/subscriptions.js";

/** @param capabilitiesOf what a server of a revision can do; without `announced` for who cannot be notified */
export function createLifecycleMethods(
  { settings, write, subscriptions }: MethodSource,
  capabilitiesOf: (revision: Revision, announced: AnnouncedChanges | undefined) => ServerCapabilities,
): Record<string, Method> {
  const discoverHint = settings.hint("discover", true);

  /** What the server can do, and how it is best used. */
  const selfDescription = (revision: Revision, session: Session) => {
    // A legacy client that opens no conversation cannot be told anything.
    const isDeaf = revision.changesBy === "session" && session.peer.endsWithAnswer;
    const capabilities = capabilitiesOf(revision, isDeaf ? undefined : subscriptions?.announced);
    return { capabilities, instructions: settings.instructions };
  };

  return {
    "server/discover": ({ revision, session }) => {
      const result = { supportedVersions: revisionIds("modern"), ...selfDescription(revision, session) };
      return write(revision, result, { hint: discoverHint });
    },

    initialize: ({ session, params }) => {
      const { protocolVersion, capabilities, clientInfo } = params;
      if (typeof protocolVersion !== "string") throw invalidParams("`protocolVersion` must be a string.");
      // A peer whose revision is known beforehand has no session that could be open.
      if (session.revision !== undefined && session.peer.revision === undefined) {
        throw refusal("`initialize` opens a session, and this one is open already.");
      }
      const revision = findRevision(protocolVersion, "legacy") ?? LATEST_LEGACY;
      session.open(revision, {
        capabilities: isObject(capabilities) ? (capabilities as ClientCapabilities) : {},
        ...(isImplementation(clientInfo) && { info: clientInfo }),
      });
      subscriptions?.subscribeToLists(session);
      return write(revision, {
        protocolVersion: revision.id,
        serverInfo: projectImplementation(settings.info, revision),
        ...selfDescription(revision, session),
      });
    },

    ping: ({ revision }) => write(revision, {}),
  };
}
