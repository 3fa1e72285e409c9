import { _, type Ajv2020, type KeywordCxt, Name } from "ajv/dist/2020.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { schemasIn } from "../../json-schema/walk.js";
import { booleanSchema } from "./create-ajv.js";

/**
 * Gives a schema and each definition that it refers to a function of its own, which references call by name through
 * `check`: that asks each of them only once about a value, for which ajv's own calls leave no room.
 *
 * @param ajv with no schema yet; afterwards it knows each function by its name
 * @returns the names of the functions: `root`, and those of definitions
 */
export function addDefinitions(ajv: Ajv2020, document: JsonSchema): string[] {
  const { $id: _id, ...alone } = document;
  if (!isSelfContained(alone)) {
    ajv.addSchema(document, "root");
    return ["root"];
  }
  const names = new Map([["#", "root"]]);
  const nameOf = (reference: string): string => {
    const name = names.get(reference) ?? `definition${names.size}`;
    names.set(reference, name);
    return name;
  };
  // In one document, dynamic references lead where plain ones do.
  for (const keyword of ["$ref", "$dynamicRef"]) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      schemaType: "string",
      code: (context) => callByName(context, nameOf(context.schema as string)),
    });
  }
  // Compiling one may add more names, and the loop comes to them too.
  for (const [reference, name] of names) {
    const { $defs: _defs, ...target } = targetOf(reference, alone);
    ajv.addSchema(booleanSchema(target), name);
    ajv.getSchema(name);
  }
  return [...names.values()];
}

/** Where a part has an identifier, or a reference leads to another document, ajv has to find its way itself. */
function isSelfContained(document: JsonSchema): boolean {
  return schemasIn(document).every(({ $id, $ref, $dynamicRef }) =>
    [$id, $ref, $dynamicRef].every((each) => each === undefined || (each as string).startsWith("#")),
  );
}

function callByName(context: KeywordCxt, name: string): void {
  const { gen, data, it } = context;
  const answer = gen.const("answer", _`check(${name}, ${data})`);
  if (it.opts.unevaluated === true) {
    const props = gen.var("props", _`${answer}.props`);
    const items = gen.var("items", _`${answer}.items`);
    context.mergeEvaluated({ ...it, props, items }, Name);
  }
  context.pass(_`${answer}.valid`);
}

/** What a reference inside the document leads to, by its place or by its anchor. */
function targetOf(reference: string, document: JsonSchema): JsonSchema {
  if (reference === "#") return document;
  const target = reference.startsWith("#/")
    ? atPointer(reference.slice(2), document)
    : schemasIn(document).find(({ $anchor, $dynamicAnchor }) =>
        [$anchor, $dynamicAnchor].includes(reference.slice(1)),
      );
  if (typeof target !== "object" || target === null)
    throw new TypeError(`The reference ${reference} leads nowhere.`);
  return target as JsonSchema;
}

function atPointer(pointer: string, document: JsonSchema): unknown {
  return pointer.split("/").reduce<unknown>((part, token) => {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof part === "object" && part !== null ? (part as Record<string, unknown>)[name] : undefined;
  }, document);
}
