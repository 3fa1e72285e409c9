/**
 * How a conversation opens and is kept: `server/discover` (modern); `initialize`, `ping` and
 * `logging/setLevel` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import { listHint } from "../cache-hints.js";
import { isImplementation } from "../call.js";
import { invalidParams } from "../errors.js";
import { isObject } from "../jsonrpc.js";
import { LOGGING_LEVELS } from "../logging-levels.js";
import { projectImplementation } from "../projection.js";
import type { ClientCapabilities } from "../protocol.js";
import { findRevision, LATEST_LEGACY, revisionIds } from "../revisions.js";
import type { Method, MethodSource } from "./method.js";

export function createLifecycleMethods(source: MethodSource): Record<string, Method> {
  const { info, instructions, sealOf, capabilitiesOf } = source;
  const instructionsMember =
    instructions === undefined ? "" : `,"instructions":${JSON.stringify(instructions)}`;

  const discoverHint = listHint(source.config, "discover", true);

  return {
    "server/discover": ({ revision, connection }) => {
      const members =
        `"supportedVersions":${JSON.stringify(revisionIds("modern"))},` +
        `"capabilities":${JSON.stringify(capabilitiesOf(revision, connection))}${instructionsMember}`;
      return sealOf(revision).cacheable(members, discoverHint);
    },

    initialize: ({ connection, params }) => {
      const { protocolVersion, capabilities, clientInfo } = params;
      if (typeof protocolVersion !== "string") throw invalidParams("`protocolVersion` must be a string.");
      const revision = findRevision(protocolVersion, "legacy") ?? LATEST_LEGACY;
      connection.begin(revision, {
        capabilities: isObject(capabilities) ? (capabilities as ClientCapabilities) : {},
        ...(isImplementation(clientInfo) ? { info: clientInfo } : {}),
        logLevel: "info",
      });
      source.subscriptions?.welcome(connection);
      const members =
        `"protocolVersion":"${revision.id}","capabilities":${JSON.stringify(capabilitiesOf(revision, connection))},` +
        `"serverInfo":${JSON.stringify(projectImplementation(info, revision))}${instructionsMember}`;
      return sealOf(revision).result(members);
    },

    ping: ({ revision }) => sealOf(revision).result(""),

    "logging/setLevel": ({ connection, params, revision }) => {
      const level = LOGGING_LEVELS.find((each) => each === params.level);
      if (level === undefined) throw invalidParams(`\`level\` must be one of ${LOGGING_LEVELS.join(", ")}.`);
      connection.setLogLevel(level);
      return sealOf(revision).result("");
    },
  };
}
