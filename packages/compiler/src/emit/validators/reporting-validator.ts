import type { SchemaEnv } from "ajv/dist/compile/index.js";
import type { AnySchemaObject, AnyValidateFunction } from "ajv/dist/types/index.js";
import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { EXPLAINED_KEYWORDS } from "@tenon/runtime/value-problems";
import { schemasIn } from "../../json-schema/walk.js";
import { createAjv } from "./create-ajv.js";
import { rememberingReports, withNamedRoot } from "./memoized.js";

/** Keywords whose failure the runtime puts into words of its own. */
const WORDED: ReadonlySet<string> = new Set([
  ...EXPLAINED_KEYWORDS,
  "if",
  "dependentRequired",
  "unevaluatedProperties",
]);

const DYNAMIC = [
  ["$dynamicRef", "$ref"],
  ["$dynamicAnchor", "$anchor"],
] as const;

/**
 * The module that ajv writes for a schema whose validator reports every problem itself.
 *
 * Each error says where in the whole schema its keyword stands, and what refers to itself is looked at once for
 * each value.
 */
export function reportingValidator(schema: JsonSchema): string {
  const plain = withPlainReferences(schema);
  const code = moduleOf(plain, false);
  const keywords = [...code.matchAll(/\bkeyword:"([^"]+)"/g)];
  return keywords.every(([, keyword = ""]) => WORDED.has(keyword)) ? code : moduleOf(plain, true);
}

/** In a schema that is all one document, dynamic references lead where plain ones do. */
function withPlainReferences(schema: JsonSchema): JsonSchema {
  const plain = structuredClone(schema);
  const places = schemasIn(plain);
  if (places.some(({ $id }) => $id !== undefined)) return schema;
  for (const place of places) {
    for (const [dynamic, name] of DYNAMIC) {
      const { [dynamic]: target } = place;
      if (typeof target !== "string" || place[name] !== undefined) continue;
      place[name] = target;
      delete place[dynamic];
    }
  }
  return plain;
}

function moduleOf(schema: JsonSchema, messages: boolean): string {
  const text = JSON.stringify(schema);
  // Only a schema of schemas refers to those that ajv brings along, and they cost more than most.
  const meta = text.includes("json-schema.org");
  const ajv = createAjv({ messages, meta, validateSchema: false, inlineRefs: false });
  // Costs a line or two in each function, for nothing where no keyword asks what others have evaluated.
  ajv.opts.unevaluated = text.includes('"unevaluated');
  const { whole, rootName } = withNamedRoot(schema, text);
  const validate = ajv.compile(whole as AnySchemaObject);
  const code = withWholePaths(standalone.default(ajv, validate), validate, rootName);
  return rememberingReports(withoutCopies(code));
}

/** Errors of a definition begin their path at the definition: here, as seen from the root. */
function withWholePaths(code: string, { schemaEnv }: AnyValidateFunction, rootName?: string): string {
  const places = new Map<string, string>();
  for (const [reference, target] of Object.entries(schemaEnv.root.refs)) {
    const isCompiled = typeof target === "object" && "validate" in target;
    const { validateName } = (isCompiled ? (target as SchemaEnv).validate?.source : undefined) ?? {};
    if (validateName) places.set(validateName.str, reference === `#/$defs/${rootName}` ? "#" : reference);
  }
  return code
    .split(/^(?=function validate\d+\()/m)
    .map((text) => {
      const [, name = ""] = /^function (\w+)/.exec(text) ?? [];
      const place = JSON.stringify(places.get(name) ?? "#").slice(0, -1);
      return text.replaceAll('schemaPath:"#/', () => `schemaPath:${place}/`);
    })
    .join("");
}

/** Errors of parts are put to those of the whole one by one: copying the whole for each takes too long in long lists. */
function withoutCopies(code: string): string {
  return code.replaceAll(
    /^vErrors = vErrors === null \? (\S+)\.errors : vErrors\.concat\(\1\.errors\);$/gm,
    "for(const each of $1.errors) (vErrors ??= []).push(each);",
  );
}
