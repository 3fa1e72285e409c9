import type { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { allowNull } from "../derivation/join.js";
import { mayBeAbsent } from "../../typescript/type-identity.js";
import { nestSite } from "../derivation/type-sites.js";

/** Derives `T[]` and `readonly T[]`. `items` is always present: several clients reject an array without it. */
export const arrays: TypeRule = (type, site, derivation) => {
  const { checker } = derivation;
  if (!checker.isArrayType(type)) return undefined;
  const [element] = checker.getTypeArguments(type as ts.TypeReference);
  return element && deriveArray(element, site, derivation);
};

/** Returns the fragment of an array with elements of one type. */
export function deriveArray(element: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const written = site.written && derivation.cache.types.findIndexMember(site.written)?.written;
  const items = deriveElement(element, nestSite(site, "[]", written?.node, written), derivation);
  if (items === UNSUPPORTED) return UNSUPPORTED;
  if (items === NEVER) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: { type: "array", items: items.schema },
    ...(items.conversion && { conversion: { kind: "array", items: items.conversion } }),
  };
}

/** Derives an element. In outputs it may also be `null`, since JSON represents an `undefined` element that way. */
export function deriveElement(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const fragment = derivation.derive(type, site);
  if (derivation.direction === "input" || !mayBeAbsent(type) || fragment === UNSUPPORTED) return fragment;
  return allowNull(fragment);
}
