import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../typescript/typescript.js";
import type { DiagnosticCollector, Report, SourceLocation } from "../diagnostics/diagnostic.js";
import { isHeaderName, isHeaderType } from "../json-schema/header-keyword.js";
import { findKeyword } from "../json-schema/keywords.js";
import { listSubschemas } from "../json-schema/walk.js";
import type { ToolDeclaration } from "../model.js";
import { findArgumentNode } from "./argument-node.js";

/** A schema with `x-mcp-header`, and its path. */
interface MarkedSchema {
  schema: JsonSchema;
  header: string;
  path: readonly string[];
  /** Whether the path from the root consists of `properties` only. */
  isReachable: boolean;
  /** Whether it, or a schema around it, is secret. */
  isSecret: boolean;
}

/**
 * Checks the rules about `x-mcp-header` that concern the whole schema. Clients drop a tool if a header is on a schema
 * that `properties` alone do not reach, or if two headers have the same name.
 *
 * @param schema the schema of the arguments: derived from the types, or the author's own
 */
export function checkHeaders(
  declaration: ToolDeclaration,
  schema: JsonSchema,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const report = collector.createReport(declaration.name);
  if (declaration.options.inputSchema) checkOwnHeaders(schema, declaration, report);
  else checkMarkedSchemas(schema, (path) => findArgumentNode(declaration, path, checker), report);
}

function checkMarkedSchemas(
  schema: JsonSchema,
  locate: (path: readonly string[]) => SourceLocation,
  report: Report,
): void {
  const seen = new Map<string, MarkedSchema>();
  // Few schemas have headers, and searching text is faster than searching a tree.
  if (!JSON.stringify(schema).includes('"x-mcp-header"')) return;
  for (const marked of listMarkedSchemas(schema)) {
    const { header, path, isReachable } = marked;
    const at = locate(path);
    const pathText = path.join(" → ");
    if (marked.isSecret) report("header-secret", at, { header, path: pathText });
    if (!isReachable) {
      report("header-misplaced", at, { header, path: pathText });
      continue;
    }
    const taken = seen.get(header.toLowerCase());
    if (taken) report("header-taken", at, { header, first: taken.path.join(" → "), second: pathText });
    else seen.set(header.toLowerCase(), marked);
  }
}

/** Checks the names and types of headers in a custom schema, which has no tags. */
function checkOwnHeaders(schema: JsonSchema, { decorator }: ToolDeclaration, report: Report): void {
  for (const marked of listMarkedSchemas(schema)) {
    if (!isHeaderName(marked.header)) report("header-name-invalid", decorator, { header: marked.header });
    if (isHeaderType(marked.schema)) continue;
    report("header-type", decorator, {
      where: `\`${marked.path.join(" → ")}\` in \`inputSchema\``,
      type: [marked.schema.type ?? "any"].flat().join(" | "),
      isNumber: marked.schema.type === "number",
    });
  }
  checkMarkedSchemas(schema, () => decorator, report);
}

function listMarkedSchemas(
  schema: JsonSchema,
  path: readonly string[] = [],
  isReachable = true,
  isInSecret = false,
  found: MarkedSchema[] = [],
): MarkedSchema[] {
  const header = schema["x-mcp-header"];
  const isSecret = isInSecret || schema.writeOnly === true;
  if (header !== undefined) {
    found.push({
      schema,
      header: String(header),
      path,
      isReachable: isReachable && path.length > 0,
      isSecret,
    });
  }
  for (const { keyword: name, key, schema: inner } of listSubschemas(schema)) {
    const isItem = findKeyword(name)?.of?.includes("array") === true;
    const step = typeof key === "string" ? [key] : isItem ? ["[]"] : [];
    listMarkedSchemas(inner, [...path, ...step], isReachable && name === "properties", isSecret, found);
  }
  return found;
}
