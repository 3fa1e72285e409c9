import { UNSUPPORTED } from "../../json-schema/fragment.js";
import type { ts } from "../../typescript/typescript.js";
import type { DerivationCache } from "../derivation/derivation-cache.js";
import type { TypeRule } from "../derivation/derivation.js";

/** Returns whether a type is the runtime's `Cursor`. An author's own `Cursor` is an ordinary type. */
export function isCursor(type: ts.Type, cache: DerivationCache): boolean {
  return type.symbol?.name === "Cursor" && cache.runtime.getName(type.symbol) === "Cursor";
}

/** Rejects cursors inside an argument or a result, where nothing creates them. */
export const cursors: TypeRule = (type, site, derivation) => {
  if (!isCursor(type, derivation.cache)) return undefined;
  derivation.report("type-cursor", site.node, {
    where: derivation.describeSite(site),
    problem: derivation.direction === "input" ? "nested" : "result",
  });
  return UNSUPPORTED;
};
