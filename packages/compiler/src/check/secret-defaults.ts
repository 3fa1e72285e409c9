import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { type Definitions, findReferenced } from "../json-schema/definitions.js";
import { findValueProblems } from "../json-schema/value-problems.js";
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
  const report = collector.createReport(declaration.name);
  const isOwn = declaration.options.inputSchema !== undefined;
  const defs = { ...schema.$defs, ...(schema.definitions as JsonSchema["$defs"]) };
  for (const path of findSecretDefaults(schema, [], [], false, { root: schema, defs, visited: new Set() })) {
    const at = isOwn ? declaration.decorator : findArgumentNode(declaration, path, checker);
    report("secret-default", at, { path: path.join(" → ") });
  }
}

/** Keywords whose schemas describe the same value under a condition. */
const CONDITIONALS: ReadonlySet<string> = new Set(["then", "else", "dependentSchemas"]);

interface Walk {
  root: JsonSchema;
  defs: Definitions;
  /** The references that were followed, each with its argument and values, because types can refer to themselves. */
  visited: Set<string>;
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
  walk: Walk,
): (readonly string[])[] {
  const values = [...new Set([...inherited, schema.default])].filter((each) => each !== undefined);
  const isSecret = isInSecret || schema.writeOnly === true;
  if (isSecret && values.some(revealsSecret)) return [path];
  const inside = listSubschemas(schema).flatMap(({ keyword, key, schema: inner }) => {
    if (keyword === "$defs" || keyword === "definitions") return [];
    // Keywords such as `anyOf` describe the same value, and other keywords describe its elements or members.
    const isSame = keyword.endsWith("Of") || CONDITIONALS.has(keyword);
    const step = isSame ? [] : [keyword === "properties" ? String(key) : "[]"];
    const parts = values.flatMap((value) => {
      if (keyword === "allOf" || CONDITIONALS.has(keyword)) return [value];
      if (isSame)
        return findValueProblems(value as JsonValue, { schema: inner }, walk.defs).length === 0
          ? [value]
          : [];
      return listParts(value, schema, keyword, key);
    });
    return findSecretDefaults(inner, [...path, ...step], parts, isSecret, walk);
  });
  const reference = schema.$ref ?? (schema.$dynamicRef as string | undefined);
  const target = reference === undefined ? undefined : findReferenced(walk.root, reference);
  const visit = JSON.stringify([path[0], reference, isSecret, values]);
  if (target === undefined || walk.visited.has(visit)) return inside;
  walk.visited.add(visit);
  return [...inside, ...findSecretDefaults(target, path, values, isSecret, walk)];
}

/** Returns the elements or members of a value that the schema in a keyword describes. */
function listParts(
  value: unknown,
  { prefixItems = [], properties = {}, patternProperties = {} }: JsonSchema,
  keyword: string,
  key: string | number | undefined,
): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    if (keyword.endsWith("Properties") || keyword === "properties") return [];
    return typeof key === "number" ? [value[key]] : value.slice(prefixItems.length);
  }
  const members = Object.entries(value);
  if (keyword === "properties")
    return members.flatMap(([name, each]): unknown[] => (name === key ? [each] : []));
  const pattern = keyword === "patternProperties" ? String(key) : undefined;
  if (pattern !== undefined)
    return members.flatMap(([name, each]): unknown[] => (matches(name, pattern) ? [each] : []));
  if (!keyword.endsWith("Properties")) return [];
  const patterns = Object.keys(patternProperties);
  return members.flatMap(([name, each]): unknown[] =>
    Object.hasOwn(properties, name) || patterns.some((one) => matches(name, one)) ? [] : [each],
  );
}

/** Returns whether a name matches a pattern. An invalid pattern, which another diagnostic reports, matches every name. */
function matches(name: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return true;
  }
}

function revealsSecret(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(revealsSecret);
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
