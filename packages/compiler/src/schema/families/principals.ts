import { UNSUPPORTED } from "../../json-schema/fragment.js";
import type { TypeRule } from "../derivation/derivation.js";

/** Rejects `Principal` inside an argument, where clients could claim to be anyone. Arguments are not verified. */
export const principals: TypeRule = (type, site, derivation) => {
  if (derivation.direction === "output") return undefined;
  const isPrincipal = [type, ...(type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : [])].some(
    (each) =>
      each.symbol?.name === "Principal" && derivation.cache.runtime.getName(each.symbol) === "Principal",
  );
  if (!isPrincipal) return undefined;
  derivation.report("type-principal", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
  });
  return UNSUPPORTED;
};
