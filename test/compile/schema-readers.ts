import { AjvJsonSchemaValidator as ReaderV2 } from "@modelcontextprotocol/client/validators/ajv";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { AjvJsonSchemaValidator as ReaderV1 } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchema } from "@tenon/runtime/manifest";

/** Creates a function that returns whether a client accepts a value as valid against a schema. */
export type Reader = (schema: JsonSchema) => (value: unknown) => boolean;

/** The validators with which official clients check results. SDK 1.x reads every schema as draft-07. */
export const READERS: Record<string, Reader> = {
  "SDK 1.x": (schema) => {
    const validate = new ReaderV1().getValidator(schema as never);
    return (value) => validate(value).valid;
  },
  "client 2.x": (schema) => {
    const validate = new ReaderV2().getValidator(schema as never);
    return (value) => validate(value).valid;
  },
  "client 2.x of workers": (schema) => {
    const validate = new CfWorkerJsonSchemaValidator().getValidator(schema as never);
    return (value) => validate(value).valid;
  },
};
