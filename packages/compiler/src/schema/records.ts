import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../typescript.js";
import { NEVER, REFUSED, type Derivation, type Place } from "./derivation.js";
import { joinParts } from "./join.js";
import { inner } from "./places.js";
import { keyPattern } from "./template-literals.js";

export interface IndexPart {
  keywords: Pick<JsonSchema, "additionalProperties" | "patternProperties">;
  conversion?: Conversion;
}

/**
 * What the index signatures of a type say about members without a name of their own. Keys of `string` are
 * `additionalProperties`; keys of numbers and templates are told by pattern, which `portable` lowers again.
 *
 * @returns undefined when there are none
 */
export function indexPart(
  type: ts.Type,
  place: Place,
  derivation: Derivation,
): IndexPart | "refused" | undefined {
  const infos = derivation.checker
    .getIndexInfosOfType(type)
    .filter((info) => !(info.keyType.flags & ts.TypeFlags.ESSymbolLike));
  if (infos.length === 0) return undefined;
  const closed = derivation.direction === "input";
  const patterns: [string, JsonSchema][] = [];
  let additional: JsonSchema | boolean | undefined = closed ? false : undefined;
  const parts = infos.map((info) => {
    const part = derivation.derive(
      info.type,
      inner(place, "[key]", info.declaration, valueNode(place, info)),
    );
    if (part === REFUSED) return part;
    const schema = part === NEVER ? false : Object.keys(part.schema).length === 0 ? true : part.schema;
    const pattern = keyPattern(info.keyType, derivation);
    if (pattern === undefined) additional = schema;
    else if (schema !== false) patterns.push([pattern, schema === true ? {} : schema]);
    return part;
  });
  if (parts.includes(REFUSED)) return "refused";
  if (patterns.length > 0) derivation.memory.hasExactForms = true;
  const { conversion } = joinParts(parts.filter((part) => part.conversion));
  return {
    keywords: {
      ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) }),
      ...(additional !== undefined && { additionalProperties: additional }),
    },
    ...(conversion && { conversion }),
  };
}

function valueNode({ typeNode }: Place, info: ts.IndexInfo): ts.TypeNode | undefined {
  if (typeNode && ts.isTypeReferenceNode(typeNode)) return typeNode.typeArguments?.[1];
  return info.declaration?.type;
}

/**
 * In an intersection a named member must satisfy the other side's index signature too, which the checker does
 * not work into the member's own type.
 *
 * @returns the members of the type that do, or undefined when none does
 */
export function withinIndex(
  owner: ts.Type,
  name: string,
  type: ts.Type,
  derivation: Derivation,
): readonly ts.Type[] | undefined {
  const { checker } = derivation;
  const infos = checker
    .getIndexInfosOfType(owner)
    .filter((info) => appliesTo(info.keyType, name, derivation));
  const members = (type.isUnion() ? type.types : [type]).filter((member) =>
    infos.every(
      (info) => member.flags & ts.TypeFlags.Undefined || checker.isTypeAssignableTo(member, info.type),
    ),
  );
  return members.some((member) => !(member.flags & ts.TypeFlags.Undefined)) ? members : undefined;
}

function appliesTo(keyType: ts.Type, name: string, derivation: Derivation): boolean {
  if (keyType.flags & ts.TypeFlags.String) return true;
  const pattern = keyPattern(keyType, derivation);
  return pattern !== undefined && new RegExp(pattern, "u").test(name);
}
