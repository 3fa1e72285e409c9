/**
 * The forms of elicitations: what a client receives, and how its replies become values.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode
 * @module
 */
import { toProblemSentence } from "../../data/explanations/problem-sentence.js";
import type { Application } from "../application/application.js";
import type { Validation } from "../application/validation.js";
import {
  ArgumentsError,
  type ArgumentsPlan,
  type ArgumentsValidators,
  prepareArguments,
} from "../../data/conversion/arguments.js";
import type { Converters } from "../../data/conversion/converters.js";
import { ToolError } from "../../api/errors.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Revision } from "../../protocol/revisions.js";
import { checkFormSchema } from "./form-schema.js";
import { AnswerError } from "./question.js";
import type { Forms, ServedForm } from "./served-form.js";

/**
 * Creates the forms of a server.
 *
 * @throws Error if the validators do not belong to the manifest
 */
export function createForms(
  { manifest }: Application,
  validation: Validation,
  { createArgumentsConverter }: Converters,
): Forms {
  const derived = new Map(
    Object.entries(manifest.forms ?? {}).map(([id, { requestedSchema, ...input }]): [string, ServedForm] => {
      const validators = validation.find("forms", id);
      return [
        id,
        { requestedSchema, plan: createPlan(validators, input.schema, createArgumentsConverter(input)) },
      ];
    }),
  );
  return { derived, validation };
}

/**
 * Finds the form for one call to `elicit`.
 *
 * @param id the ID that the build has added to the call
 * @param authorSchema the schema that the author passes
 * @throws TypeError without either, or for a schema that no client can show as a form
 */
export function findForm(
  { derived, validation }: Forms,
  id: string | undefined,
  authorSchema: JsonSchema | undefined,
): ServedForm {
  if (authorSchema !== undefined) {
    checkFormSchema(authorSchema);
    const plan = createPlan(createSchemaValidators(authorSchema, validation), authorSchema, (valid) => valid);
    return { requestedSchema: authorSchema, plan };
  }
  const form = id === undefined ? undefined : derived.get(id);
  if (form !== undefined) return form;
  throw new TypeError(
    "No form is known for this question. Write `ctx.ask<Form>(…)` or `ctx.elicit<Form>(…)`, from which the build derives the form, or pass `schema`.",
  );
}

/**
 * Reads the values that a user entered.
 *
 * @throws AnswerError for values that do not fit the form
 */
export function readContent(form: ServedForm, content: unknown): Record<string, unknown> {
  try {
    return prepareArguments(form.plan, content);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    const problems = error.issues.length > 0 ? error.issues : ["the content does not fit the form"];
    throw new AnswerError(toProblemSentence(problems));
  }
}

/**
 * Returns a form as clients of the revision understand it. The first revision with forms has no multiple choices,
 * and supports titles of choices only in `enumNames`, and defaults only for booleans.
 *
 * @throws ToolError for a form that the revision cannot express
 */
export function projectForm(requestedSchema: JsonSchema, revision: Revision): JsonSchema {
  if (revision.clientRequests.form !== "plain") return requestedSchema;
  const properties = Object.entries(requestedSchema.properties ?? {}).map(([name, field]) => {
    if (field.type === "array") {
      throw new ToolError(
        `The field "${name}" is a list of choices, which forms of the protocol version ${revision.id} cannot contain.`,
      );
    }
    return [name, toPlainField(field)] as const;
  });
  return { ...requestedSchema, properties: Object.fromEntries(properties) };
}

function toPlainField({ oneOf, default: defaultValue, ...field }: JsonSchema): JsonSchema {
  const titled = oneOf && {
    enum: oneOf.map((each) => each.const ?? ""),
    enumNames: oneOf.map((each) => each.title),
  };
  return { ...field, ...titled, ...(typeof defaultValue === "boolean" && { default: defaultValue }) };
}

function createPlan(
  validators: ArgumentsValidators,
  schema: JsonSchema,
  convert: ArgumentsPlan["convert"],
): ArgumentsPlan {
  // Clients send empty text for fields without a value, and may add fields.
  return {
    validators,
    schema,
    convert,
    noun: "field",
    ignoresEmpty: true,
    ignoresUnknown: true,
  };
}

/** Returns validators for a schema that was created while the server runs, and so has no compiled validator. */
function createSchemaValidators(schema: JsonSchema, { checks }: Validation): ArgumentsValidators {
  return {
    input: (data) => checks.fitsSchema(schema, data),
    reconsiderArguments: checks.reconsiderArguments,
  };
}
