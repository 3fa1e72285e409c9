import type { ResourceTemplateEntry } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { withoutAnnotations } from "../json-schema/annotations.js";
import type { ResourceDeclaration } from "../model.js";
import { describeDeclaration } from "./names.js";

/** A resource template, and the entry of the manifest that serves it. */
export interface BuiltTemplate {
  readonly declaration: ResourceDeclaration;
  readonly entry: ResourceTemplateEntry;
}

/** Operators whose variables appear in the URI with their names. */
const NAMING_OPERATORS = /^[?&;]/;

/**
 * Reports templates that match exactly the URIs of another one, which differs only in the names of its variables. The
 * server asks the first of such templates, in alphabetical order. A template with other types is a valid fallback.
 */
export function checkRepeatedTemplates(
  templates: readonly BuiltTemplate[],
  collector: DiagnosticCollector,
): void {
  const first = new Map<string, BuiltTemplate>();
  for (const template of templates.toSorted((a, b) => (a.declaration.uri < b.declaration.uri ? -1 : 1))) {
    const { declaration } = template;
    const identity = getIdentity(template);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, template);
    // A template that is disabled for a caller leaves its URIs to the others.
    else if (!earlier.declaration.guards.includes("enabled")) {
      collector.createReport(declaration.name)("resource-template-repeated", declaration.uriNode, {
        uri: declaration.uri,
        earlierUri: earlier.declaration.uri,
        other: describeDeclaration(earlier.declaration),
      });
    }
  }
}

/** Returns text that is equal for templates with the same URIs: the structure, and the types of the variables. */
function getIdentity({ declaration, entry }: BuiltTemplate): string {
  const schema = withoutAnnotations(entry.input.schema ?? {});
  const types: unknown[] = [];
  const structure = declaration.uri.replaceAll(/\{([^}]*)\}/g, (expression, content: string) => {
    const names = content.replace(/^[+#./;?&]/, "").split(",");
    const variables = names.map((each) => each.replace(/[*:].*$/, ""));
    types.push(...variables.map((name) => schema.properties?.[name]));
    return NAMING_OPERATORS.test(content) ? expression : expression.replaceAll(/[\w.%]+(?=[,*:}])/g, "_");
  });
  return JSON.stringify([structure, types, schema.$defs]);
}
