import type { AnySchemaObject } from "ajv/dist/2020.js";
import { ValueScope } from "ajv/dist/compile/codegen/index.js";
import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { acceptingCode } from "./boolean-code.js";
import { asksTwice, remembering, withNamedRoot } from "./memoized.js";
import { createAjv } from "./create-ajv.js";
import { addScalarKeywords, withScalarKeywords } from "./scalar-keywords.js";

/** The module that ajv writes for a schema, or `undefined` where it cannot do without reporting errors. */
export type AcceptingCompiler = (schema: JsonSchema) => string | undefined;

/** Stands around a schema whose validator need not say what is wrong. */
const ACCEPTS = "accepts";

/** Of all that ajv names, so that the names in one module do not depend on the modules before it. */
const PREFIXES = new Set("validate wrapper root schema keyword pattern formats func obj Error".split(" "));

/** Compiles schemas, of the keywords of `isExplained`, to validators that only say yes or no. */
export function createAcceptingCompiler(): AcceptingCompiler {
  const ajv = createAjv({
    allErrors: false,
    messages: false,
    meta: false,
    validateSchema: false,
    optimize: false,
    // Nobody calls what ajv has compiled, only what it has written.
    process: () => "return () => true",
  });
  ajv.opts.unevaluated = false;
  addScalarKeywords(ajv);
  ajv.addKeyword({
    keyword: ACCEPTS,
    schemaType: "object",
    code: (context) => {
      const valid = context.gen.name("valid");
      context.subschema({ keyword: ACCEPTS, createErrors: false }, valid);
      context.ok(valid);
    },
  });
  const accepts = (each: JsonSchema): AnySchemaObject => ({ [ACCEPTS]: withScalarKeywords(each) });
  return (whole) => {
    const text = JSON.stringify(whole);
    const { $defs = {}, $schema: _dialect, ...schema } = withNamedRoot(whole, text).whole;
    Object.assign(ajv, { scope: new ValueScope({ scope: {}, prefixes: PREFIXES, lines: true }) });
    const definitions = Object.entries($defs).map(([name, each]) => [name, accepts(each)]);
    const validate = ajv.compile({ ...accepts(schema), $defs: Object.fromEntries(definitions) });
    const code = standalone.default(ajv, validate);
    ajv.removeSchema();
    const accepting = acceptingCode(code);
    const isRemembering = accepting !== undefined && text.includes('"$ref":') && asksTwice(whole);
    return isRemembering ? remembering(accepting) : accepting;
  };
}
