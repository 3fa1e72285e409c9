/**
 * `logging/setLevel` (legacy).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 * @module
 */
import { invalidParams } from "../api/errors.js";
import type { LoggingLevel } from "../protocol/specification.js";
import type { Method, MethodSource } from "./method.js";

/** From least to most severe. */
export const LOGGING_LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

export function createLoggingMethods({ seal }: MethodSource): Record<string, Method> {
  return {
    "logging/setLevel": ({ connection, params, revision }) => {
      const level = LOGGING_LEVELS.find((each) => each === params.level);
      if (level === undefined) throw invalidParams(`\`level\` must be one of ${LOGGING_LEVELS.join(", ")}.`);
      connection.logLevel = level;
      return seal(revision, "");
    },
  };
}
