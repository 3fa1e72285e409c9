/** Forms whose schema the author writes: clients receive only what the specification allows in a form. */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildObservedServer, type ObservedServer } from "../support/observed-server.js";

const SOURCES = {
  "src/forms.ts": `
    import { Tool, type Context } from "@tenon/runtime";
    export class Forms {
      /** Shows a form. */
      @Tool() async show(schema: unknown, ctx: Context): Promise<string> {
        return JSON.stringify(await ctx.elicit("Please answer.", { schema: schema as never }));
      }
    }`,
};

let observed: ObservedServer;
beforeAll(async () => {
  observed = await buildObservedServer("form-schemas", SOURCES);
});
beforeEach(() => observed.clear());
afterAll(() => observed.remove());

/** Shows a form. @returns the forms that the client received */
async function show(schema: unknown): Promise<unknown[]> {
  const shown: unknown[] = [];
  const client = await connect(observed.server, {
    showErrors: false,
    answers: {
      elicit: (elicitation) => {
        shown.push(elicitation.requestedSchema);
        return { action: "decline" };
      },
    },
  });
  await client.callTool("show", { schema });
  await client.close();
  return shown;
}

const form = (field: unknown): object => ({ type: "object", properties: { field } });

describe("an author's own form", () => {
  test.each([
    [{ type: "string", title: "Name", minLength: 1, default: "Ada" }],
    [{ type: "string", format: "email" }],
    [{ type: "string", enum: ["a", "b"], enumNames: ["A", "B"] }],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }] }],
    [{ type: "integer", minimum: 1, maximum: 3, default: 2 }],
    [{ type: "number", exclusiveMinimum: 1 }],
    [{ type: "boolean", default: true }],
    [{ type: "array", items: { type: "string", enum: ["a"] }, maxItems: 1, default: ["a"] }],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }],
  ])("is sent to the client if its field is valid: %j", async (field) => {
    expect(await show(form(field))).toEqual([form(field)]);
    expect(observed.errors()).toEqual([]);
  });

  test.each([
    ["a form", 'schema must be an object (got "a form")'],
    [{ type: "array", items: {} }, 'schema.type must be "object" (got "array")'],
    [{ type: "object" }, "schema.properties must be an object with the fields (got undefined)"],
    [
      { ...form({ type: "string" }), required: ["feld"] },
      'schema.required must be a list of the names of fields (got ["feld"])',
    ],
    [form("string"), 'schema.properties.field must be an object (got "string")'],
    [
      form({ type: "object", properties: {} }),
      'schema.properties.field.type must be one of string, number, integer, boolean, array (got "object")',
    ],
    [
      form({ type: ["string", "null"] }),
      'schema.properties.field.type must be one of string, number, integer, boolean, array (got ["string","null"])',
    ],
    [form({ type: "constructor" }), "schema.properties.field.type must be one of"],
    [form({ type: "string", title: 5 }), "schema.properties.field.title must be a string (got 5)"],
    [
      form({ type: "string", format: "ipv4" }),
      'schema.properties.field.format must be one of date, date-time, email, uri (got "ipv4")',
    ],
    [form({ type: "string", minLength: "1" }), "schema.properties.field.minLength must be a whole number"],
    [
      form({ type: "string", enum: ["a", 1] }),
      "schema.properties.field.enum must be a list of at least one string",
    ],
    [
      form({ type: "array", items: { enum: [] } }),
      "schema.properties.field.items.enum must be a list of at least one string (got [])",
    ],
    [
      form({ type: "string", oneOf: [{ const: "a" }] }),
      "schema.properties.field.oneOf must be a list of at least one choice, each with a `const` and a `title`",
    ],
    [form({ type: "string", default: 1 }), "schema.properties.field.default must be a string (got 1)"],
    [form({ type: "number", minimum: "1" }), "schema.properties.field.minimum must be a number"],
    [form({ type: "boolean", default: "yes" }), "schema.properties.field.default must be true or false"],
    [form({ type: "array" }), "schema.properties.field.items must be an object with the choices"],
    [
      form({ type: "array", items: { type: "string" } }),
      "schema.properties.field.items must be an object with `enum` or `anyOf`, the choices",
    ],
  ])("is not shown, and the log reports why: %j", async (schema, problem) => {
    expect(await show(schema)).toEqual([]);
    expect(observed.errors().join()).toContain(`The form of elicit() cannot be shown: ${problem}`);
  });
});
