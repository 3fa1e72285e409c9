/**
 * The forms that handlers ask for: what a client is shown, and how its answers become values.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode
 * @module
 */
import type { Application } from "../../assembly/application.js";
import type { Validator } from "../../validation/validators.js";
import {
  ArgumentsError,
  type ArgumentsPlan,
  prepareArguments,
  withoutEmptyAndUnknown,
} from "../../values/arguments.js";
import { argumentsConverter } from "../../values/converters.js";
import { ToolError } from "../../api/errors.js";
import { createScope } from "../../explain/keywords/table.js";
import { fits } from "../../explain/search.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Revision } from "../../protocol/revisions.js";
import { AnswerError } from "./question.js";
import type { Forms, ServedForm } from "./served-form.js";

/** @throws Error when manifest and validators do not belong together. */
export function createForms({ manifest, validators }: Application): Forms {
  return new Map(
    Object.entries(manifest.forms ?? {}).map(([id, { requestedSchema, ...input }]): [string, ServedForm] => {
      const compiled = validators.forms ?? {};
      const validate = Object.hasOwn(compiled, id) ? compiled[id] : undefined;
      if (validate === undefined)
        throw new Error(`The form "${id}" has no validator. Build the project again.`);
      return [id, { requestedSchema, plan: planOf(validate, input.schema, argumentsConverter(input)) }];
    }),
  );
}

/** The form of one call of `elicit`. */
export function findForm(forms: Forms, id: string | undefined, own: JsonSchema | undefined): ServedForm {
  if (own !== undefined)
    return { requestedSchema: own, plan: planOf(structural(own), own, argumentsConverter({})) };
  const form = id === undefined ? undefined : forms.get(id);
  if (form !== undefined) return form;
  throw new TypeError(
    "This call of elicit() has no form. Build the project with Tenon, which derives it, or pass `schema`.",
  );
}

/**
 * What the user filled in.
 *
 * @throws AnswerError when it does not fit the form
 */
export function readContent(form: ServedForm, content: unknown): Record<string, unknown> {
  try {
    return prepareArguments(form.plan, content);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    const problems = error.issues.length > 0 ? error.issues.join("; ") : "the content does not fit the form";
    throw new AnswerError(`${problems}.`);
  }
}

/**
 * A form as a client of the revision knows it: the first revision with forms has no titled and no multiple
 * choices, and defaults for booleans only.
 */
export function projectForm(requestedSchema: JsonSchema, revision: Revision): JsonSchema {
  if (revision.asks.form !== "plain") return requestedSchema;
  const properties = Object.entries(requestedSchema.properties ?? {}).map(([name, field]) => {
    if (field.type === "array") {
      throw new ToolError(
        `The field "${name}" is a list of choices, for which the protocol version ${revision.id} has no form.`,
      );
    }
    return [name, plainField(field)] as const;
  });
  return { ...requestedSchema, properties: Object.fromEntries(properties) };
}

function plainField({ oneOf, default: given, ...field }: JsonSchema): JsonSchema {
  const titled = oneOf && {
    enum: oneOf.map((each) => each.const ?? ""),
    enumNames: oneOf.map((each) => each.title),
  };
  return { ...field, ...titled, ...(typeof given === "boolean" && { default: given }) };
}

function planOf(validate: Validator, schema: JsonSchema, convert: ArgumentsPlan["convert"]): ArgumentsPlan {
  // Forms know little but text fields: what is left empty is absent, and fields of the client's own do not matter.
  return {
    validate,
    schema,
    convert,
    noun: "field",
    tidy: withoutEmptyAndUnknown,
  };
}

/** A form that came into being while the server runs has no compiled validator. */
function structural(schema: JsonSchema): Validator {
  return (data) => isObject(data) && fits(schema, data, createScope(schema));
}
