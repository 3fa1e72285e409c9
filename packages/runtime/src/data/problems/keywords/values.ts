import {
  isTypeAllowed,
  type JsonSchema,
  type JsonTypeName,
  type JsonValue,
  getJsonType,
} from "../../../protocol/json-schema.js";
import { equal } from "../../validation/json-values.js";
import { describeChoices, describeSchema } from "../describe-schema.js";
import { findNearestName } from "../nearest-name.js";
import { keyword, type KeywordCheck } from "../search.js";
import { shorten } from "../shorten.js";

/** Keywords for values of every type. */
export const valueKeywords: readonly KeywordCheck[] = [
  keyword(
    "type",
    "any",
    (types: JsonTypeName | JsonTypeName[], value: unknown, schema: JsonSchema, { root }) => {
      // As in ajv, for schemas that were written for OpenAPI.
      const isNullable = value === null && schema.nullable === true;
      if (isNullable || isTypeAllowed(getJsonType(value), types)) return undefined;
      return () => `be ${describeSchema(schema, root)}`;
    },
  ),
  keyword(
    "enum",
    "any",
    (choices: JsonValue[], value: unknown) =>
      !choices.some((choice) => equal(choice, value)) &&
      (() => `be ${describeNearestChoices(choices, value)}`),
  ),
];

function describeNearestChoices(choices: readonly JsonValue[], value: unknown): string {
  const texts = choices.filter((choice) => typeof choice === "string");
  const nearest = typeof value === "string" ? findNearestName(value, texts) : undefined;
  const hint = nearest === undefined ? "" : `; did you mean ${shorten(nearest)}?`;
  return `${describeChoices(choices, 20, `… (${choices.length} in all)`)}${hint}`;
}
