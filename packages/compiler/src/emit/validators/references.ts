import { _, type Ajv2020, type KeywordCxt, Name } from "ajv/dist/2020.js";
import { ValueScope } from "ajv/dist/compile/codegen/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { findReferenced } from "../../json-schema/definitions.js";
import { listSchemas } from "../../json-schema/walk.js";
import { toBooleanSchema } from "./create-ajv.js";

/** A compiler of self-contained schemas. */
export interface DefinitionCompiler {
  /** Contains the functions of the last schema. */
  readonly ajv: Ajv2020;
  /**
   * Compiles a schema and each definition that it refers to as separate functions. References call them by name through
   * `check`, which validates each value only once per definition. ajv's own calls do not allow that.
   *
   * @returns the names of the functions: `root`, and those of definitions
   */
  compile(document: JsonSchema): string[];
}

/**
 * Creates a compiler.
 *
 * @param ajv an instance without schemas
 */
export function createDefinitionCompiler(ajv: Ajv2020): DefinitionCompiler {
  let names = new Map<string, string>();
  const getName = (reference: string): string => {
    const name = names.get(reference) ?? `definition${names.size}`;
    names.set(reference, name);
    return name;
  };
  // Within one document, dynamic references equal plain ones.
  for (const keyword of ["$ref", "$dynamicRef"]) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      schemaType: "string",
      code: (context) => callByName(context, getName(context.schema as string)),
    });
  }
  return {
    ajv,
    compile(document) {
      removeSchemas(ajv);
      names = new Map([["#", "root"]]);
      // Compiling a schema may add names, which the loop also visits.
      for (const [reference, name] of names) {
        const { $defs: _defs, ...target } = resolveReference(reference, document);
        ajv.addSchema(toBooleanSchema(target), name);
        ajv.getSchema(name);
      }
      return [...names.values()];
    },
  };
}

/** Removes all schemas and the names in their code, so that numbering starts again. */
function removeSchemas(ajv: Ajv2020): void {
  ajv.removeSchema();
  const scope = new ValueScope({ scope: {}, prefixes: SCOPE_PREFIXES });
  Object.assign(ajv, { scope } satisfies Pick<Ajv2020, "scope">);
}

/** The prefixes of global names in ajv's code. */
const SCOPE_PREFIXES = new Set([
  "validate",
  "wrapper",
  "root",
  "schema",
  "keyword",
  "pattern",
  "formats",
  "func",
]);

/** Matches JSON of a schema that may have an identifier, or a reference to another document. */
const MAY_LEAVE_DOCUMENT = /"\$id":|"\$(?:dynamicRef|ref)":"(?!#)/;

/**
 * Returns whether all references stay within the document, and none of its parts has an identifier. ajv itself resolves
 * other references. The identifier of the whole document does not matter.
 *
 * @param text the schema as JSON
 */
export function isSelfContained({ $id: _id, ...document }: JsonSchema, text: string): boolean {
  if (!MAY_LEAVE_DOCUMENT.test(text)) return true;
  return listSchemas(document).every(({ $id, $ref, $dynamicRef }) =>
    [$id, $ref, $dynamicRef].every((each) => each === undefined || (each as string).startsWith("#")),
  );
}

function callByName(context: KeywordCxt, name: string): void {
  const { gen, data, it } = context;
  const result = gen.const("answer", _`check(${name}, ${data})`);
  if (it.opts.unevaluated === true) {
    const props = gen.var("props", _`${result}.props`);
    const items = gen.var("items", _`${result}.items`);
    context.mergeEvaluated({ ...it, props, items }, Name);
  }
  context.pass(_`${result}.valid`);
}

/** Resolves a reference inside the document, by pointer or anchor. */
function resolveReference(reference: string, document: JsonSchema): JsonSchema {
  const target = findReferenced(document, reference);
  if (!target) throw new TypeError(`The reference ${reference} cannot be resolved.`);
  return target;
}
