import { UNSUPPORTED } from "../../json-schema/fragment.js";
import type { TypeRule } from "../derivation.js";

/** Who calls is verified. Inside an argument it would be what the client says, so that anybody could be anybody. */
export const principals: TypeRule = (type, site, derivation) => {
  if (derivation.direction === "output") return undefined;
  const isPrincipal = [type, ...(type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : [])].some(
    (each) =>
      each.symbol?.name === "Principal" && derivation.cache.runtime.nameOf(each.symbol) === "Principal",
  );
  if (!isPrincipal) return undefined;
  derivation.report("type-principal", site.node, {
    where: derivation.where(site),
    type: derivation.show(type),
  });
  return UNSUPPORTED;
};
