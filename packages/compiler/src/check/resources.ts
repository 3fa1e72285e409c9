import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ResourceDeclaration } from "../model.js";
import { isListOfTexts, isText, propertiesBeyondText } from "./scalars.js";

/** `{variable}` of RFC 6570, with an operator and modifiers; anything else in braces is a mistake. */
const EXPRESSION = /\{([^{}]*)\}/g;
const OPERATOR = /^[+#./;?&]/;
const VARIABLE = /^(\w+(?:\.\w+)*)(\*|:[1-9]\d{0,3})?$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A variable as a URI template has it. */
export interface TemplateVariable {
  name: string;
  /** `*` or `:3`, where there is one. */
  modifier: string;
  /** `+`, `?` and their like, where there is one. */
  operator: string;
}

/** The variables of a URI template, in order; reports what is no URI or no template, and then returns undefined. */
export function templateVariables(
  declaration: ResourceDeclaration,
  collector: DiagnosticCollector,
): TemplateVariable[] | undefined {
  const { uri, uriNode, name } = declaration;
  const report = collector.reporter(name);
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
  return isTemplate ? variables : undefined;
}

/** The variables of the URI and the parameters of the method must be the same names. */
export function checkVariables(
  declaration: ResourceDeclaration,
  variables: readonly string[],
  parameters: readonly string[],
  collector: DiagnosticCollector,
): boolean {
  const report = collector.reporter(declaration.name);
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

/** The types of the parameters must be those of what the URI holds: one text, or a list of them. */
export function checkVariableTypes(
  declaration: ResourceDeclaration,
  variables: readonly TemplateVariable[],
  parameters: JsonSchema,
  collector: DiagnosticCollector,
): void {
  const { uri, signature, method } = declaration;
  const report = collector.reporter(declaration.name);
  const nodeOf = (name: string) =>
    signature.parameters.find((each) => each.name === name)?.valueDeclaration ?? method.name;
  const { properties = {} } = parameters;
  const lists = new Set(Object.keys(properties).filter((name) => isListOfTexts(properties[name] ?? {})));
  for (const variable of propertiesBeyondText(parameters)) {
    if (!lists.has(variable)) report("resource-variable-not-text", nodeOf(variable), { uri, variable });
  }
  for (const { name: variable, modifier, operator } of variables) {
    const isList = lists.has(variable);
    if (modifier === "*" && !isList && isText(properties[variable] ?? {})) {
      report("resource-variable-not-list", nodeOf(variable), { uri, variable, operator });
    }
    if (modifier.startsWith(":") && isList) {
      report("resource-variable-cut", nodeOf(variable), { uri, variable, modifier });
    }
  }
}
