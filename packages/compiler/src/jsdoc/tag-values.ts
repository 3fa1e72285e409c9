import type { JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../typescript/typescript.js";
import { unwrap } from "../typescript/constant.js";

/**
 * Returns the possible values of an `@example`, the most specific reading first: JSON, a TypeScript literal (`'metric'`,
 * `{ unit: "C" }`), and the text itself.
 */
export function readValues(text: string): JsonValue[] {
  const bare = unquoteCode(text);
  const found = readLiteral(text);
  return found ? [found.value, bare] : [bare];
}

/** Returns the value of a string that is JSON or an equivalent TypeScript literal. */
export function readLiteral(text: string): { value: JsonValue } | undefined {
  const bare = unquoteCode(text);
  return parseJson(bare) ?? parseLiteral(bare);
}

type Parsed = { value: JsonValue } | undefined;

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

/** Removes a code fence or backticks around a value. */
export function unquoteCode(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text.trim())?.[1];
  const inline = /^`([^`]+)`$/.exec(text.trim())?.[1];
  return (fenced ?? inline ?? text).trim();
}

function parseLiteral(text: string): Parsed {
  // `- 5` is rather a dash before a number than a negative one.
  if (!/^(?:['"{[]|[+-]\S)/.test(text)) return undefined;
  const file = ts.createSourceFile("value.ts", `(${text})`, ts.ScriptTarget.Latest);
  const [statement] = file.statements;
  const problems = (file as { parseDiagnostics?: unknown[] }).parseDiagnostics ?? [];
  if (
    problems.length > 0 ||
    file.statements.length !== 1 ||
    !statement ||
    !ts.isExpressionStatement(statement)
  )
    return undefined;
  return evaluateLiteral(statement.expression);
}

function evaluateLiteral(expression: ts.Expression): Parsed {
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isPrefixUnaryExpression(node)) {
    const operand = evaluateLiteral(node.operand)?.value;
    if (typeof operand !== "number") return undefined;
    return node.operator === ts.SyntaxKind.MinusToken ? { value: -operand } : { value: operand };
  }
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((element) => evaluateLiteral(element));
    return items.includes(undefined)
      ? undefined
      : { value: items.flatMap((item) => (item ? [item.value] : [])) };
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const entries = node.properties.map((property): [string, Parsed] =>
    ts.isPropertyAssignment(property) &&
    !ts.isComputedPropertyName(property.name) &&
    !ts.isPrivateIdentifier(property.name)
      ? [property.name.text, evaluateLiteral(property.initializer)]
      : ["", undefined],
  );
  if (entries.some(([, item]) => !item)) return undefined;
  return { value: Object.fromEntries(entries.map(([key, item]) => [key, item?.value ?? null])) };
}

/** Returns a number as an author writes it, or undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const bare = unquoteCode(text).replaceAll(/(?<=\d)_(?=\d)/g, "");
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(bare) ? Number(bare) : Infinity;
  // JavaScript reads larger numbers as `Infinity`, which JSON cannot represent.
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a whole number of any size as an author writes it: `9_007_199_254_740_993n`. */
export function readWholeNumber(text: string): bigint | undefined {
  const bare = unquoteCode(text).replaceAll(/(?<=\d)_(?=\d)/g, "");
  const [, sign, digits] = /^([+-]?)(\d{1,4096})n?$/.exec(bare) ?? [];
  if (digits === undefined) return undefined;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

/**
 * Returns a regular expression that is written bare, in slashes, or in backticks. Returns undefined if it is invalid or
 * has flags that a schema cannot express.
 */
export function readPattern(text: string): string | undefined {
  const bare = unquoteCode(text);
  const slashed = /^\/(.+)\/([a-z]*)$/s.exec(bare);
  if (slashed && /[^uv]/.test(slashed[2] ?? "")) return undefined;
  const pattern = slashed?.[1]?.replaceAll("\\/", "/") ?? bare;
  if (!pattern) return undefined;
  // With `v`, `[\w&&\D]` is the intersection. Without it, as in schemas, it is the union of both and `&`.
  if (slashed?.[2]?.includes("v") && /\[[^\]]*(?:&&|--|\[)/.test(pattern)) return undefined;
  try {
    return RegExp(pattern, "u").source && pattern;
  } catch {
    return undefined;
  }
}

const BYTES_OF_UNIT: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/**
 * Returns a number of bytes: `5 MB` or `64 KiB`, or a number alone. Undefined for any other text.
 *
 * @example
 * readByteCount("1.5 MB") // 1_500_000
 */
export function readByteCount(text: string): number | undefined {
  const [, number = "", unit = ""] = /^([\d._]+)\s*([kmg]?i?b?)$/i.exec(unquoteCode(text)) ?? [];
  const [count, size] = [readNumber(number), BYTES_OF_UNIT[unit.toLowerCase()]];
  const bytes = count === undefined || size === undefined ? 0 : count * size;
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

/** Returns MIME types or ranges of them, such as `image/*`, separated by commas. Undefined for any other text. */
export function readMimeTypes(text: string): string[] | undefined {
  const types = unquoteCode(text)
    .split(",")
    .map((each) => each.trim().toLowerCase());
  return types.every((each) => /^[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+)$/.test(each)) ? types : undefined;
}
