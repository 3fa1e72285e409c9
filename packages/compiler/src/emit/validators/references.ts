import { _, type Ajv2020, type KeywordCxt, Name } from "ajv/dist/2020.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { resolvePointer } from "../../json-schema/definitions.js";
import { listSchemas } from "../../json-schema/walk.js";
import { toBooleanSchema } from "./create-ajv.js";

/**
 * Compiles a schema and each definition that it refers to as separate functions. References call them by name through
 * `check`, which validates each value only once per definition. ajv's own calls do not allow that.
 *
 * @param ajv an instance without schemas, to which the functions are added by name
 * @returns the names of the functions: `root`, and those of definitions
 */
export function addDefinitions(ajv: Ajv2020, document: JsonSchema): string[] {
  const { $id: _id, ...alone } = document;
  if (!isSelfContained(alone)) {
    ajv.addSchema(document, "root");
    return ["root"];
  }
  const names = new Map([["#", "root"]]);
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
  // Compiling a schema may add names, which the loop also visits.
  for (const [reference, name] of names) {
    const { $defs: _defs, ...target } = resolveReference(reference, alone);
    ajv.addSchema(toBooleanSchema(target), name);
    ajv.getSchema(name);
  }
  return [...names.values()];
}

/** Returns whether no part has an identifier, and no reference leads to another document, which ajv itself resolves. */
function isSelfContained(document: JsonSchema): boolean {
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
  const target = /^#(?:\/|$)/.test(reference)
    ? resolvePointer(document, reference)
    : listSchemas(document).find(({ $anchor, $dynamicAnchor }) =>
        [$anchor, $dynamicAnchor].includes(reference.slice(1)),
      );
  if (typeof target !== "object" || target === null)
    throw new TypeError(`The reference ${reference} cannot be resolved.`);
  return target as JsonSchema;
}
