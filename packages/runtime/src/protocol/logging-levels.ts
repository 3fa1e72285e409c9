import type { LoggingLevel } from "./specification.js";

/** Logging levels, from least to most severe. */
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

/** The levels, for messages about any other value. */
export const EXPECTED_LEVEL = `one of ${LOGGING_LEVELS.map((each) => `"${each}"`).join(", ")}`;

/** Returns whether a value is a logging level. */
export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LOGGING_LEVELS.includes(value as LoggingLevel);
}
