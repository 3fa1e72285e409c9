/**
 * `logging/setLevel` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 * @module
 */
import { createInvalidParamsError } from "../../api/errors.js";
import { createMethodNotFoundError } from "../connection/modern-request.js";
import { usesContext } from "../assembly/entries.js";
import { EXPECTED_LEVEL, isLoggingLevel } from "../../protocol/logging-levels.js";
import type { ServerParts } from "../stages/stage.js";
import { type Method, type MethodFamily, respondAfterStoring } from "./method.js";

export const logging: MethodFamily = {
  createMethods: (source) =>
    usesContext(source.entries) || source.tasks !== undefined ? createLoggingMethods(source) : {},
  getCapabilities: ({ entries }) => (usesContext(entries) ? { logging: {} } : undefined),
};

function createLoggingMethods({ write }: ServerParts): Record<string, Method> {
  return {
    "logging/setLevel": (call) => {
      const { params, revision, session } = call;
      if (session === undefined) throw createMethodNotFoundError(call);
      const { level } = params;
      if (!isLoggingLevel(level)) throw createInvalidParamsError(`\`level\` must be ${EXPECTED_LEVEL}.`);
      session.setLogLevel(level);
      return respondAfterStoring(session, { logLevel: level }, write(revision, {}));
    },
  };
}
