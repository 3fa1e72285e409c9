import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import { withoutCode } from "../diagnostics/diagnostic.js";
import { isUnresolved } from "../schema/families/type-variables.js";
import { deriveType } from "../schema/derive.js";
import { isOwnNode } from "../project/nodes.js";
import type { FormContext } from "./form-context.js";
import { formField, NOT_A_FIELD } from "./form-field.js";
import { asksForSecret } from "./secret-field.js";

const EDIT =
  "Ask for a flat interface, such as `{ name: string; seats: number }`, and ask for the rest in another question.";

/**
 * The form that asks for a type.
 *
 * @param at what diagnostics point at when the type itself is elsewhere
 * @returns undefined when the type is no form; the diagnostics say why
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function deriveForm(type: ts.Type, at: ts.Node, context: FormContext): Form | undefined {
  const { checker, cache, report } = context;
  const show = (shown: ts.Type): string => checker.typeToString(shown).replaceAll(/\s+/g, " ").slice(0, 80);
  const parameter = [type, ...type.getProperties().map((each) => checker.getTypeOfSymbol(each))].find(
    isUnresolved,
  );
  if (parameter) {
    report("form-type-parameter", at, { type: show(type), parameter: show(parameter) });
    return undefined;
  }
  const derived = deriveType(type, at, [], {
    checker,
    cache,
    // They are refused below.
    report: withoutCode(report, "type-enum-of-numbers"),
    direction: "input",
  });
  if (!derived) return undefined;
  const { schema, ...conversions } = derived;
  const reason = notFlat(type, schema);
  if (reason !== undefined) {
    report("form-not-flat", at, { type: show(type), reason, edit: EDIT });
    return undefined;
  }
  const fields = type.getProperties().flatMap((symbol) => {
    const field = schema.properties?.[symbol.name];
    return field ? [{ symbol, field, type: checker.getTypeOfSymbol(symbol) }] : [];
  });
  const properties: Record<string, JsonSchema> = {};
  let isForm = true;
  for (const { symbol, field, type: fieldType } of fields) {
    if (asksForSecret(symbol.name, field)) {
      report("form-asks-for-secret", placeOf(symbol) ?? at, { field: symbol.name });
    }
    const requested = formField(field, symbol, fieldType, context);
    if (NOT_A_FIELD in requested) {
      const { reason: why, edit } = requested[NOT_A_FIELD];
      const place = placeOf(symbol) ?? at;
      report("form-field-not-flat", place, { field: symbol.name, type: show(fieldType), reason: why, edit });
      isForm = false;
    } else {
      properties[symbol.name] = requested;
    }
  }
  if (!isForm) return undefined;
  const order = Object.keys(schema.properties ?? {});
  return {
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(order.map((name) => [name, properties[name] ?? {}])),
      ...(schema.required && { required: schema.required }),
    },
    schema,
    ...conversions,
  };
}

function notFlat(type: ts.Type, schema: JsonSchema): string | undefined {
  if (type.isUnion()) return "a union of types";
  if (schema.type !== "object") return "which is not an object";
  const isOpen = typeof schema.additionalProperties === "object" || schema.additionalProperties === true;
  if (isOpen || schema.patternProperties) return "whose property names are not fixed";
  if (schema.$defs) return "which contains itself";
  return undefined;
}

/** The field's type as written, where the author can edit it. */
function placeOf(symbol: ts.Symbol): ts.Node | undefined {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (!declaration || !isOwnNode(declaration)) return undefined;
  return (declaration as { type?: ts.TypeNode }).type ?? ts.getNameOfDeclaration(declaration) ?? declaration;
}
