import { Ajv2020 } from "ajv/dist/2020.js";
import type { ServerConfig } from "@tenon/runtime";
import type { HandlerParameter, JsonSchema, Manifest, ToolEntry } from "@tenon/runtime/manifest";
import { allFeatures } from "@tenon/runtime/features";
import type { Application, Validator } from "@tenon/runtime/server";
import { Jobs } from "./handlers.js";

const object = (
  properties: Record<string, JsonSchema>,
  required: string[] = Object.keys(properties),
): JsonSchema => ({ type: "object", properties, required });

function tool(
  name: string,
  properties: Record<string, JsonSchema>,
  injected: HandlerParameter[] = [],
  task?: ToolEntry["task"],
  required?: string[],
): ToolEntry {
  const parameters = Object.keys(properties).map((each): HandlerParameter => ({
    from: "argument",
    name: each,
  }));
  return {
    definition: { name, description: `The tool ${name}.`, inputSchema: object(properties, required) },
    handler: {
      module: "src/handlers.ts",
      export: "Jobs",
      method: name,
      parameters: [...parameters, ...injected],
    },
    input: {},
    output: { kind: "text" },
    ...(task && { task }),
  };
}

const context: HandlerParameter[] = [{ from: "context" }];
const optional = { support: "optional", start: "call" } as const;
const required = { support: "required", start: "call" } as const;
const form: JsonSchema = object({ name: { type: "string" } });

const manifest: Manifest = {
  manifestVersion: 1,
  server: { name: "jobs", version: "1.0.0" },
  tools: [
    tool("compute", { ms: { type: "number" } }, [{ from: "signal" }], optional),
    tool("confirm", {}, context, optional),
    tool("crash", { how: { type: "string" } }, [], optional),
    tool("echo", { text: { type: "string" }, times: { type: "number" } }, [], optional, ["text"]),
    tool("ends", {}),
    tool("fail", {}, [], required),
    tool("greet", { name: { type: "string" } }),
    tool("hasty", {}, context, { support: "required", start: "handler" }),
    tool("journey", { to: { type: "string" } }, context, optional),
    tool("later", {}, context, { support: "required", start: "handler" }),
    tool("pages", {}, context, optional),
    tool("roots", {}, context, optional),
    tool("stopped", {}),
    tool("tidy", {}, context, optional),
    tool("two", {}, context, optional),
  ],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  forms: { "src/handlers.ts#1": { requestedSchema: form, schema: form } },
};

const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true });
const compile = (schema: JsonSchema): Validator => ajv.compile(schema) as Validator;
const validators: Application["validators"] = {
  tools: Object.fromEntries(
    manifest.tools.map(({ definition: { name, inputSchema } }) => [name, { input: compile(inputSchema) }]),
  ),
  prompts: {},
  resourceTemplates: {},
  forms: { "src/handlers.ts#1": { input: compile(form) } },
};

/** Tools with tasks, in the form in which the compiler emits them. */
export function createTasksFixture(config: ServerConfig = {}): Application {
  return { manifest, features: allFeatures, classes: { "src/handlers.ts": { Jobs } }, validators, config };
}
