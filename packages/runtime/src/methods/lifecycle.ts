/**
 * How a conversation opens and is kept: `server/discover` (modern); `initialize` and `ping` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import { hinted } from "../assembly/cache-hints.js";
import { isImplementation } from "../connection/call.js";
import type { Connection } from "../connection/connection.js";
import { invalidParams } from "../api/errors.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectImplementation } from "../protocol/projection.js";
import type { ClientCapabilities, ServerCapabilities } from "../protocol/specification.js";
import { findRevision, LATEST_LEGACY, type Revision, revisionIds } from "../protocol/revisions.js";
import type { MethodSource, Part } from "./method.js";

export const lifecycle = {
  methods: (source) => {
    const { settings, seal, subscriptions } = source;
    const discoverHint = settings.hint("discover", true);
    return {
      "server/discover": ({ revision, connection }) => {
        const versions = JSON.stringify(revisionIds("modern"));
        const members = `"supportedVersions":${versions},${describe(source, revision, connection)}`;
        return seal(revision, hinted(members, discoverHint, revision));
      },

      initialize: ({ connection, params }) => {
        const { protocolVersion, capabilities, clientInfo } = params;
        if (typeof protocolVersion !== "string") throw invalidParams("`protocolVersion` must be a string.");
        const revision = findRevision(protocolVersion, "legacy") ?? LATEST_LEGACY;
        connection.begin(revision, {
          capabilities: isObject(capabilities) ? (capabilities as ClientCapabilities) : {},
          ...(isImplementation(clientInfo) && { info: clientInfo }),
        });
        subscriptions?.welcome(connection);
        const serverInfo = JSON.stringify(projectImplementation(settings.info, revision));
        const described = describe(source, revision, connection);
        return seal(revision, `"protocolVersion":"${revision.id}","serverInfo":${serverInfo},${described}`);
      },

      ping: ({ revision }) => seal(revision, ""),
    };
  },
} satisfies Part;

/** The members in which a server tells what it can do, and how it is best used. */
function describe(source: MethodSource, revision: Revision, connection: Connection): string {
  const { parts, settings, subscriptions } = source;
  // A legacy client that opens no conversation cannot be told anything.
  const isDeaf = revision.changesBy === "session" && connection.peer.isBrief;
  const announced = isDeaf ? undefined : subscriptions?.announced;
  const capabilities: ServerCapabilities = {};
  for (const part of parts) Object.assign(capabilities, part.claims?.(source, revision, announced));
  return JSON.stringify({ capabilities, instructions: settings.instructions }).slice(1, -1);
}
