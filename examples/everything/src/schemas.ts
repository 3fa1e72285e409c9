import { Tool, type JsonSchema } from "@tenon/runtime";

const contact = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const satisfies JsonSchema;

interface Contact {
  name?: string;
  address?: { street?: string; city?: string };
  contactMethod?: "phone" | "email";
  phone?: string;
  email?: string;
}

/** Schemas that types cannot express. */
export class SchemaTools {
  /** Stores a contact; its schema uses `$anchor`, `if`, `then`, and `else`. */
  @Tool({ destructive: false, openWorld: false, name: "json_schema_2020_12_tool", inputSchema: contact })
  storeContact(contact: Contact): string {
    return `Stored ${contact.name ?? "a contact"}, to be reached by ${contact.contactMethod ?? "email"}.`;
  }
}
