/**
 * `logging/setLevel` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 * @module
 */
import { invalidParams } from "../api/errors.js";
import { usesContext } from "../assembly/entries.js";
import { LOGGING_LEVELS } from "../protocol/logging-levels.js";
import { type Method, type MethodFamily, type MethodSource, onceRemembered } from "./method.js";

export const logging: MethodFamily = {
  methods: (source) =>
    usesContext(source.entries) || source.tasks !== undefined ? createLoggingMethods(source) : {},
  capabilities: ({ entries }) => (usesContext(entries) ? { logging: {} } : undefined),
};

function createLoggingMethods({ write }: MethodSource): Record<string, Method> {
  return {
    "logging/setLevel": ({ session, params, revision }) => {
      const level = LOGGING_LEVELS.find((each) => each === params.level);
      if (level === undefined) throw invalidParams(`\`level\` must be one of ${LOGGING_LEVELS.join(", ")}.`);
      session.setLogLevel(level);
      return onceRemembered(session, { logLevel: level }, write(revision, {}));
    },
  };
}
