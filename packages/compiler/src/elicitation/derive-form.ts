import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../typescript/typescript.js";
import { withoutCode } from "../diagnostics/diagnostic.js";
import { isUnresolved } from "../schema/families/type-variables.js";
import { letDefaultsApply } from "../schema/arguments/arguments.js";
import { deriveType } from "../schema/derive.js";
import { isOwnNode } from "../typescript/nodes.js";
import { formatType } from "../typescript/type-text.js";
import { postponeMisplacedNames } from "./choice-names.js";
import { type FieldContext, type FormContext, deriveField, NOT_A_FIELD } from "./form-field.js";
import { asksForSecret } from "./secret-field.js";

const EDIT =
  "Ask for a flat interface, such as `{ name: string; seats: number }`, and ask for the rest in another question.";

/**
 * Returns the form that requests a value of a type.
 *
 * @param at the node for diagnostics if the type itself is elsewhere
 * @returns undefined if the type cannot be a form; the diagnostics state why
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function deriveForm(type: ts.Type, at: ts.Node, context: FormContext): Form | undefined {
  const { checker, cache, report, method } = context;
  const parameter = [type, ...type.getProperties().map((each) => checker.getTypeOfSymbol(each))].find(
    isUnresolved,
  );
  if (parameter) {
    report("elicitation-type-parameter", at, {
      method,
      type: formatType(type, checker),
      parameter: formatType(parameter, checker),
    });
    return undefined;
  }
  const names = postponeMisplacedNames(report);
  const derived = deriveType(type, at, [], {
    checker,
    cache,
    // Numeric enums are rejected below.
    report: withoutCode(names.report, "type-enum-of-numbers"),
    direction: "input",
    isForm: true,
  });
  if (!derived) return undefined;
  const { schema: required, ...conversions } = derived;
  const schema = letDefaultsApply(required);
  const reason = explainNotFlat(type, schema);
  if (reason !== undefined) {
    report("elicitation-not-flat", at, { method, type: formatType(type, checker), reason, edit: EDIT });
    return undefined;
  }
  const fields = type.getProperties().flatMap((symbol) => {
    const field = schema.properties?.[symbol.name];
    return field ? [{ symbol, field, type: checker.getTypeOfSymbol(symbol) }] : [];
  });
  const properties: Record<string, JsonSchema> = {};
  const fieldContext: FieldContext = { ...context, usedNames: [] };
  let isForm = true;
  for (const { symbol, field, type: fieldType } of fields) {
    if (asksForSecret(symbol.name, field)) {
      report("elicitation-asks-for-secret", findDeclaration(symbol) ?? at, { field: symbol.name });
    }
    const requested = deriveField(field, symbol, fieldType, fieldContext);
    if (NOT_A_FIELD in requested) {
      const { reason: why, edit } = requested[NOT_A_FIELD];
      const node = findDeclaration(symbol) ?? at;
      report("elicitation-field-not-flat", node, {
        field: symbol.name,
        type: formatType(fieldType, checker),
        reason: why,
        edit,
      });
      isForm = false;
    } else {
      properties[symbol.name] = requested;
    }
  }
  names.reportUnused(fieldContext.usedNames);
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

function explainNotFlat(type: ts.Type, schema: JsonSchema): string | undefined {
  if (type.isUnion()) return "a union of types";
  if (schema.type !== "object") return "which is not an object";
  const isOpen = typeof schema.additionalProperties === "object" || schema.additionalProperties === true;
  if (isOpen || schema.patternProperties) return "whose property names are not fixed";
  if (schema.$defs) return "which contains itself";
  return undefined;
}

/** Returns the field's type as written, if the author can edit it. */
function findDeclaration(symbol: ts.Symbol): ts.Node | undefined {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (!declaration || !isOwnNode(declaration)) return undefined;
  return (declaration as { type?: ts.TypeNode }).type ?? ts.getNameOfDeclaration(declaration) ?? declaration;
}
