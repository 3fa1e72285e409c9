import type { Input } from "@tenon/runtime/manifest";
import type { Derived } from "../schema/derive.js";

/** What the runtime needs besides the listed schema: the exact one where they differ, and the conversions. */
export function planOf(derived: Derived): Input {
  return {
    ...(derived.exact && { schema: derived.exact }),
    ...(derived.conversion && { conversion: derived.conversion }),
    ...(derived.conversions && { conversions: derived.conversions }),
  };
}
