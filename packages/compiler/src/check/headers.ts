import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../project/typescript.js";
import type { DiagnosticCollector, Report, SourceLocation } from "../diagnostics/diagnostic.js";
import { isHeaderName, isHeaderType } from "../json-schema/header-keyword.js";
import { keyword } from "../json-schema/keywords.js";
import { subschemasOf } from "../json-schema/walk.js";
import type { ToolDeclaration } from "../model.js";

/** A schema with `x-mcp-header`, and where it is. */
interface Marked {
  schema: JsonSchema;
  header: string;
  path: readonly string[];
  /** Reached from the root through `properties` alone. */
  reachable: boolean;
}

/**
 * Rules about `x-mcp-header` that take the whole schema: clients drop a tool with a header on what is not
 * reached through `properties` alone, or with two headers of one name.
 *
 * @param schema what arguments are checked against: derived from the types, or the author's own
 */
export function checkHeaders(
  declaration: ToolDeclaration,
  schema: JsonSchema,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const report = collector.reporter(declaration.name);
  if (declaration.options.inputSchema) checkOwnHeaders(schema, declaration, report);
  else checkPlaces(schema, (path) => argumentNode(declaration, path, checker), report);
}

function checkPlaces(
  schema: JsonSchema,
  locate: (path: readonly string[]) => SourceLocation,
  report: Report,
): void {
  const seen = new Map<string, Marked>();
  // Hardly any schema has a mark, and a text is searched more quickly than a tree.
  if (!JSON.stringify(schema).includes('"x-mcp-header"')) return;
  for (const marked of markedIn(schema)) {
    const { header, path, reachable } = marked;
    const at = locate(path);
    const place = path.join(" → ");
    if (marked.schema.writeOnly === true) report("header-secret", at, { header, path: place });
    if (!reachable) {
      report("header-misplaced", at, { header, path: place });
      continue;
    }
    const taken = seen.get(header.toLowerCase());
    if (taken) report("header-taken", at, { header, first: taken.path.join(" → "), second: place });
    else seen.set(header.toLowerCase(), marked);
  }
}

/** The same for a schema that the author wrote, whose marks no tag has been checked for. */
function checkOwnHeaders(schema: JsonSchema, { decorator }: ToolDeclaration, report: Report): void {
  for (const marked of markedIn(schema)) {
    if (!isHeaderName(marked.header)) report("header-name-invalid", decorator, { header: marked.header });
    if (isHeaderType(marked.schema)) continue;
    report("header-type", decorator, {
      where: `\`${marked.path.join(" → ")}\` in \`inputSchema\``,
      type: [marked.schema.type ?? "any"].flat().join(" | "),
      isNumber: marked.schema.type === "number",
    });
  }
  checkPlaces(schema, () => decorator, report);
}

function markedIn(
  schema: JsonSchema,
  path: readonly string[] = [],
  reachable = true,
  found: Marked[] = [],
): Marked[] {
  const header = schema["x-mcp-header"];
  if (header !== undefined) {
    found.push({ schema, header: String(header), path, reachable: reachable && path.length > 0 });
  }
  for (const { keyword: name, key, schema: inner } of subschemasOf(schema)) {
    const isItem = keyword(name)?.of?.includes("array") === true;
    const step = typeof key === "string" ? [key] : isItem ? ["[]"] : [];
    markedIn(inner, [...path, ...step], reachable && name === "properties", found);
  }
  return found;
}

/** The parameter, or the property of the arguments object, that a path begins with. */
function argumentNode(
  { signature, method }: ToolDeclaration,
  [name = ""]: readonly string[],
  checker: ts.TypeChecker,
): ts.Node {
  const file = method.getSourceFile();
  const candidates = signature.parameters.flatMap((parameter) => {
    if (parameter.name === name) return parameter.valueDeclaration;
    return checker.getTypeOfSymbol(parameter).getProperty(name)?.valueDeclaration;
  });
  return candidates.find((each) => each?.getSourceFile() === file) ?? method.name;
}
