import { Ajv2020 } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import { CHECKED_FORMATS } from "@tenon/runtime/manifest";

/** Where schemas and their validators differ in what is asked of ajv. */
interface AjvChoices {
  allErrors?: boolean;
  messages?: boolean;
  meta?: boolean;
  validateSchema?: boolean;
  /** Where `false`, each definition has a function of its own. */
  inlineRefs?: boolean;
  /** Where ajv shortens its code, which takes it almost as long as to write it. */
  optimize?: boolean;
  /** Changes the code that ajv runs, not the code it writes. */
  process?: () => string;
}

/** An ajv whose code calls what the runtime brings along. */
export function createAjv({ optimize = true, process, ...choices }: AjvChoices): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    ...choices,
    strict: false,
    strictNumbers: true,
    // A required `constructor` is not satisfied by the one that every object inherits.
    ownProperties: true,
    useDefaults: true,
    logger: false,
    code: {
      optimize,
      source: true,
      esm: true,
      lines: true,
      formats: _`formats`,
      ...(process && { process }),
    },
  });
  // ajv compares each item with each; the runtime's own takes one look at each.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not hold the same item twice" },
    code: (context) => {
      if (context.schema !== true) return;
      const check = context.gen.scopeValue("func", { ref: areUnique, code: _`uniqueItems` });
      context.fail(_`!${check}(${context.data})`);
    },
  });
  // The real checks run in the server; here a format only has to be known by name.
  for (const name of CHECKED_FORMATS) ajv.addFormat(name, { type: "string", validate: () => true });
  return ajv;
}

/** For schemas of schemas, which are checked here; in the server, the runtime's own function takes its place. */
function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}
