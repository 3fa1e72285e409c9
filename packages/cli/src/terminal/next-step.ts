import type { Paint } from "./terminal.js";

/** The client that is named in suggested commands. */
export const SUGGESTED_CLIENT = "claude-code";

/**
 * Formats the line that ends a command: what to do next.
 *
 * @example
 * formatNextStep("npx tenon install claude-code", "connects a client", paint)
 * // "Next: npx tenon install claude-code  connects a client"
 */
export function formatNextStep(command: string, purpose: string, { bold, dim }: Paint): string {
  return `Next: ${bold(command)}  ${dim(purpose)}`;
}
