import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Declaration } from "../model.js";

/** The escape hatch: a schema in the decorator's options, which stands for the derived one as it is written. */
export function ownSchema(
  { options }: Declaration,
  option: "inputSchema" | "outputSchema",
): JsonSchema | undefined {
  const value = options[option];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : undefined;
}
