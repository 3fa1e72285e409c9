import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ResourceDeclaration } from "../model.js";

/** `{variable}` of RFC 6570, with an operator and modifiers; anything else in braces is a mistake. */
const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLES = /^[+#./;?&]?[A-Za-z0-9_]+\*?(,[A-Za-z0-9_]+\*?)*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The variable names of a URI template, in order; reports what is no URI or no template, and then returns undefined. */
export function templateVariables(
  declaration: ResourceDeclaration,
  collector: DiagnosticCollector,
): string[] | undefined {
  const { uri, uriNode, name } = declaration;
  const report = collector.reporter(name);
  if (!SCHEME.test(uri) || /\s/.test(uri.replaceAll(EXPRESSION, ""))) {
    report("resource-uri-invalid", uriNode, { uri });
    return undefined;
  }
  const names: string[] = [];
  let isTemplate = true;
  for (const [expression, inside = ""] of uri.matchAll(EXPRESSION)) {
    if (!VARIABLES.test(inside)) {
      report("resource-template-invalid", uriNode, { uri, expression });
      isTemplate = false;
      continue;
    }
    names.push(
      ...inside
        .replace(/^[+#./;?&]/, "")
        .split(",")
        .map((each) => each.replace(/\*$/, "")),
    );
  }
  if (/[{}]/.test(uri.replaceAll(EXPRESSION, ""))) {
    report("resource-template-invalid", uriNode, { uri, expression: uri });
    isTemplate = false;
  }
  return isTemplate ? names : undefined;
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
