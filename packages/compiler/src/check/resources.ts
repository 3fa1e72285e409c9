import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ResourceDeclaration } from "../model.js";
import { isListOfTexts, isText, findNonTextProperties } from "./scalars.js";

/** The pattern of an RFC 6570 expression `{variable}` with optional operator and modifiers. Other braces are errors. */
const EXPRESSION = /\{([^{}]*)\}/g;
const OPERATOR = /^[+#./;?&]/;
const VARIABLE = /^(\w+(?:\.\w+)*)(\*|:[1-9]\d{0,3})?$/;
/** The pattern of two expressions with nothing between their values, unlike `{a}{/b}` and `{a:3}{b}`. */
const ADJACENT = /\{[^{}:]+\}\{\+?\w[^{}]*\}/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A variable of a URI template. */
export interface TemplateVariable {
  name: string;
  /** The modifier, such as `*` or `:3`, or an empty string. */
  modifier: string;
  /** The operator, such as `+` or `?`, or an empty string. */
  operator: string;
}

/** Returns the variables of a URI template in order. Reports an invalid URI or template, and then returns undefined. */
export function readTemplateVariables(
  declaration: ResourceDeclaration,
  collector: DiagnosticCollector,
): TemplateVariable[] | undefined {
  const { uri, uriNode, name } = declaration;
  const report = collector.createReport(name);
  if (!SCHEME.test(uri) || /\s/.test(uri.replaceAll(EXPRESSION, ""))) {
    report("resource-uri-invalid", uriNode, { uri });
    return undefined;
  }
  const variables: TemplateVariable[] = [];
  let isTemplate = true;
  for (const [expression, inside = ""] of uri.matchAll(EXPRESSION)) {
    const [operator = ""] = OPERATOR.exec(inside) ?? [];
    for (const written of inside.slice(operator.length).split(",")) {
      const [, variable, modifier = ""] = VARIABLE.exec(written) ?? [];
      if (variable !== undefined) {
        variables.push({ name: variable, modifier, operator });
        continue;
      }
      report("resource-template-invalid", uriNode, { uri, expression });
      isTemplate = false;
      break;
    }
  }
  if (/[{}]/.test(uri.replaceAll(EXPRESSION, ""))) {
    report("resource-template-invalid", uriNode, { uri, expression: uri });
    isTemplate = false;
  }
  const [adjacent] = ADJACENT.exec(uri) ?? [];
  if (adjacent !== undefined && isTemplate) {
    report("resource-template-invalid", uriNode, { uri, expression: adjacent, isAdjacent: true });
    isTemplate = false;
  }
  return isTemplate ? variables : undefined;
}

/**
 * Checks that the URI's variables and the method's parameters have the same names.
 *
 * @returns false if a name is missing on either side, which is reported
 */
export function checkVariables(
  declaration: ResourceDeclaration,
  variables: readonly string[],
  parameters: readonly string[],
  collector: DiagnosticCollector,
): boolean {
  const report = collector.createReport(declaration.name);
  const missing = variables.filter((name) => !parameters.includes(name));
  const extra = parameters.filter((name) => !variables.includes(name));
  for (const variable of missing) {
    report("resource-variable-unused", declaration.uriNode, {
      uri: declaration.uri,
      variable,
      parameters: [...parameters],
    });
  }
  for (const parameter of extra) {
    const node = declaration.signature.parameters.find((each) => each.name === parameter)?.valueDeclaration;
    report("resource-parameter-unknown", node ?? declaration.method.name, {
      uri: declaration.uri,
      parameter,
      variables: [...variables],
    });
  }
  return missing.length === 0 && extra.length === 0;
}

/** Checks that the types of the parameters fit the URI's values: one string, or a list of strings. */
export function checkVariableTypes(
  declaration: ResourceDeclaration,
  variables: readonly TemplateVariable[],
  parameters: JsonSchema,
  collector: DiagnosticCollector,
): void {
  const { uri, signature, method } = declaration;
  const report = collector.createReport(declaration.name);
  const findParameterNode = (name: string) =>
    signature.parameters.find((each) => each.name === name)?.valueDeclaration ?? method.name;
  const { properties = {} } = parameters;
  const lists = new Set(Object.keys(properties).filter((name) => isListOfTexts(properties[name] ?? {})));
  for (const variable of findNonTextProperties(parameters)) {
    if (!lists.has(variable))
      report("resource-variable-not-text", findParameterNode(variable), { uri, variable });
  }
  for (const { name: variable, modifier, operator } of variables) {
    const isList = lists.has(variable);
    if (modifier === "*" && !isList && isText(properties[variable] ?? {})) {
      report("resource-variable-not-list", findParameterNode(variable), { uri, variable, operator });
    }
    if (modifier.startsWith(":") && isList) {
      report("resource-variable-cut", findParameterNode(variable), { uri, variable, modifier });
    }
  }
}
