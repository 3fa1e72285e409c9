import type { JsonSchema, ResourceTemplateEntry } from "@tenon/runtime/manifest";
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
 * server asks the first of such templates, in alphabetical order. A template with other types is a valid fallback, unless
 * the first one accepts any text.
 */
export function checkRepeatedTemplates(
  templates: readonly BuiltTemplate[],
  collector: DiagnosticCollector,
): void {
  const read = new Map<string, BuiltTemplate>();
  for (const template of templates.toSorted((a, b) => (a.declaration.uri < b.declaration.uri ? -1 : 1))) {
    const { declaration } = template;
    const { structure, types, acceptsAnyText } = describeUris(template);
    const earlier = read.get(structure) ?? read.get(types);
    // A template that is disabled for a caller leaves its URIs to the others.
    const isFinal = !declaration.guards.includes("enabled");
    if (isFinal) read.set(acceptsAnyText ? structure : types, template);
    if (earlier !== undefined) {
      collector.createReport(declaration.name)("resource-template-repeated", declaration.uriNode, {
        uri: declaration.uri,
        earlierUri: earlier.declaration.uri,
        other: describeDeclaration(earlier.declaration),
      });
    }
  }
}

/** The URIs of a template. */
interface Uris {
  /** Text that is equal for templates that match the same URIs if all of their variables accept any text. */
  readonly structure: string;
  /** Text that is equal if the variables have the same types as well. */
  readonly types: string;
  readonly acceptsAnyText: boolean;
}

function describeUris({ declaration, entry }: BuiltTemplate): Uris {
  const schema = withoutAnnotations(entry.input.schema ?? {});
  const types: (JsonSchema | undefined)[] = [];
  const structure = declaration.uri.replaceAll(/\{([^}]*)\}/g, (expression, content: string) => {
    const names = content.replace(/^[+#./;?&]/, "").split(",");
    const variables = names.map((each) => each.replace(/[*:].*$/, ""));
    types.push(...variables.map((name) => schema.properties?.[name]));
    return NAMING_OPERATORS.test(content) ? expression : expression.replaceAll(/[\w.%]+(?=[,*:}])/g, "_");
  });
  return {
    structure,
    types: JSON.stringify([structure, types, schema.$defs]),
    // A required variable may be absent from the URI, if its expression has a prefix.
    acceptsAnyText:
      types.every((type) => JSON.stringify(type) === '{"type":"string"}') &&
      (schema.required === undefined || !/\{[#./;?&]/.test(structure)),
  };
}
