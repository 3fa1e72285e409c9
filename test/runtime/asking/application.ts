import { Ajv2020 } from "ajv/dist/2020.js";
import type { ServerConfig } from "@tenon/runtime";
import type { Form, HandlerParameter, HandlerRef, JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { allFeatures } from "@tenon/runtime/features";
import type { Application, Validator } from "@tenon/runtime/server";
import { formats } from "@tenon/runtime/validation";
import { Others, Tools } from "./handlers.js";

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const close = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false });

const string: JsonSchema = { type: "string" };

const form = (requestedSchema: JsonSchema, more: Partial<Form> = {}): Form => ({
  requestedSchema,
  schema: close(requestedSchema),
  ...more,
});

const traveler = (meal: JsonSchema, extras: JsonSchema): JsonSchema =>
  object(
    {
      name: { type: "string", minLength: 2 },
      born: { type: "string", format: "date" },
      seats: { type: "integer", minimum: 1, maximum: 4, default: 1 },
      meal,
      extras: { type: "array", items: extras },
    },
    ["name", "seats"],
  );
const TITLED_MEALS = [
  { const: "any", title: "Everything" },
  { const: "vegan", title: "No animals" },
];
const EXTRAS = { type: "string" as const, enum: ["wifi", "lounge"] };

const forms: Record<string, Form> = {
  "src/handlers.ts#1": form(object({ name: string })),
  "src/handlers.ts#2": form(traveler({ type: "string", oneOf: TITLED_MEALS }, EXTRAS), {
    schema: close(traveler({ type: "string", enum: ["any", "vegan"] }, EXTRAS)),
    conversion: { kind: "object", properties: { born: { kind: "date" }, extras: { kind: "set" } } },
  }),
  "src/handlers.ts#3": form(object({ guess: { type: "integer" } })),
  "src/handlers.ts#4": form(object({})),
};

function handler(owner: string, method: string, names: string[]): HandlerRef {
  const parameters = names.map((name): HandlerParameter => ({ from: "argument", name }));
  return {
    module: "src/handlers.ts",
    export: owner,
    method,
    parameters: [...parameters, { from: "context" }],
  };
}

const tool = (name: string, properties: Record<string, JsonSchema> = {}): Manifest["tools"][number] => ({
  definition: { name, description: `The tool ${name}.`, inputSchema: close(object(properties)) },
  handler:
    name === "plain" || name === "aborted" || name === "visitFirst"
      ? {
          ...handler("Tools", name, []),
          parameters: Object.keys(properties).map((each) => ({ from: "argument", name: each })),
        }
      : handler("Tools", name, Object.keys(properties)),
  input: {},
  output: { kind: "text" },
});

const manifest: Manifest = {
  manifestVersion: 1,
  server: { name: "asking", version: "1.0.0" },
  tools: [
    tool("aborted"),
    tool("aborts"),
    tool("book", { city: string }),
    tool("calendar"),
    tool("capital", { withTools: { type: "boolean" } }),
    tool("capricious"),
    tool("capriciousKey"),
    tool("charge"),
    tool("confirm"),
    tool("connect"),
    tool("connectLater", { id: string }),
    tool("formless"),
    tool("greet"),
    tool("guess", { secret: { type: "integer" } }),
    tool("parallel"),
    tool("plain"),
    tool("raw"),
    tool("sequence"),
    tool("slowEffect"),
    tool("askInStep"),
    tool("stubborn"),
    tool("welcome"),
    tool("visit", { url: string }),
    tool("visitFirst", { url: string }),
    tool("watchRoots", { times: { type: "integer" } }),
    tool("where"),
  ],
  prompts: [
    {
      definition: {
        name: "plan",
        description: "The prompt plan.",
        arguments: [{ name: "city", required: true }],
      },
      handler: handler("Others", "plan", ["city"]),
      input: { schema: close(object({ city: string })) },
    },
  ],
  resources: [],
  resourceTemplates: [
    {
      definition: { uriTemplate: "diary://{owner}", name: "diary" },
      handler: handler("Others", "diary", ["owner"]),
      input: { schema: close(object({ owner: string })) },
    },
  ],
  forms,
};

function compileValidators(): Application["validators"] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  const compile = (schema: JsonSchema = {}): Validator => ajv.compile(schema) as Validator;
  return {
    tools: Object.fromEntries(
      manifest.tools.map(({ definition }) => [definition.name, { input: compile(definition.inputSchema) }]),
    ),
    prompts: { plan: { input: compile(manifest.prompts[0]?.input.schema) } },
    resourceTemplates: { "diary://{owner}": { input: compile(manifest.resourceTemplates[0]?.input.schema) } },
    forms: Object.fromEntries(
      Object.entries(forms).map(([id, { schema }]) => [id, { input: compile(schema) }]),
    ),
  };
}

const validators = compileValidators();

/** Handlers that ask questions, in the form in which the compiler emits them. */
export function createAskingFixture(config: ServerConfig = {}): Application {
  return {
    manifest,
    features: allFeatures,
    classes: { "src/handlers.ts": { Tools, Others } },
    validators,
    config,
  };
}
