import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { listSubschemas } from "../json-schema/walk.js";
import type { ToolDeclaration } from "../model.js";
import type { ts } from "../typescript/typescript.js";
import { findArgumentNode } from "./argument-node.js";

/**
 * Reports default values of secret arguments, because they are part of the schema that every client receives. Empty strings
 * and booleans are not reported.
 *
 * @param schema the schema of the arguments, derived from the types or written by the author
 */
export function checkSecretDefaults(
  declaration: ToolDeclaration,
  schema: JsonSchema,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  // Few schemas contain secrets, and searching their text is faster than walking through them.
  const text = JSON.stringify(schema);
  if (!text.includes('"writeOnly":true') || !text.includes('"default":')) return;
  const report = collector.reporter(declaration.name);
  const isOwn = declaration.options.inputSchema !== undefined;
  for (const path of findSecretDefaults(schema, [], [], false)) {
    const at = isOwn ? declaration.decorator : findArgumentNode(declaration, path, checker);
    report("secret-default", at, { path: path.join(" → ") });
  }
}

/**
 * Returns the paths of the secret values that a default reveals.
 *
 * @param inherited the values at this place in the defaults of enclosing schemas
 * @param isInSecret whether an enclosing schema is secret
 */
function findSecretDefaults(
  schema: JsonSchema,
  path: readonly string[],
  inherited: readonly unknown[],
  isInSecret: boolean,
): (readonly string[])[] {
  const values = [...inherited, schema.default];
  const isSecret = isInSecret || schema.writeOnly === true;
  if (isSecret && values.some(revealsSecret)) return [path];
  return listSubschemas(schema).flatMap(({ keyword, key, schema: inner }) => {
    if (keyword === "properties" && typeof key === "string")
      return findSecretDefaults(
        inner,
        [...path, key],
        values.map((each) => getMember(each, key)),
        isSecret,
      );
    const items = values.flatMap((each): unknown[] => (Array.isArray(each) ? each : []));
    // Keywords such as `anyOf` describe the same value, and other keywords describe its elements or members.
    return keyword.endsWith("Of")
      ? findSecretDefaults(inner, path, values, isSecret)
      : findSecretDefaults(inner, [...path, "[]"], items, isSecret);
  });
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function revealsSecret(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(revealsSecret);
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
