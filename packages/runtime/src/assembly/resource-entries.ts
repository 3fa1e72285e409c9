import type { Entries, ServedResource, ServedTemplate } from "./entries.js";
import type { Application } from "./application.js";
import { CallCaller } from "../connection/call-caller.js";
import type { HandlerResolver } from "./handlers.js";
import { parseUriTemplate } from "../values/uri-template.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { validatorOf } from "./lookup.js";
import type { DataOutput } from "../manifest.js";
import { plainJson } from "../results/json-text.js";
import { keepDeclared } from "../results/declared-members.js";
import { dataWriter } from "../results/data-writer.js";
import { toJson } from "../values/conversion.js";
import { textPlan } from "./text-arguments.js";

/** @throws Error when manifest, classes and validators do not belong together. */
export function createResourceEntries(
  { manifest, validators }: Application,
  { resolve }: HandlerResolver,
): Pick<Entries, "resources" | "templates"> {
  const templates = manifest.resourceTemplates.map((entry): [string, ServedTemplate] => {
    const { uriTemplate } = entry.definition;
    const { input } = validatorOf(validators.resourceTemplates, uriTemplate, "resource template");
    const handler = resolve(entry.handler, { kind: "resource", uri: uriTemplate });
    const variables = textPlan(entry, input, "variable");
    const { owner, options } = handler;
    const { list } = options;
    const served: ServedTemplate = {
      entry,
      handler,
      toJson: writerOf(entry.output),
      arguments: variables,
      template: parseUriTemplate(uriTemplate, listsOf(variables.schema)),
      list: list && ((call) => list.call(owner, new CallCaller(call))),
    };
    return [uriTemplate, served];
  });
  const resources = manifest.resources.map((entry): [string, ServedResource] => [
    entry.definition.uri,
    {
      entry,
      handler: resolve(entry.handler, { kind: "resource", uri: entry.definition.uri }),
      toJson: writerOf(entry.output),
    },
  ]);
  return { resources: new Map(resources), templates: new Map(templates) };
}

/** Turns the data that a resource holds into JSON, without what its type does not declare. */
function writerOf(output: DataOutput | undefined): (value: unknown) => unknown {
  if (output === undefined) return plainJson;
  const [write, keep] = [dataWriter(output, output.schema, toJson), keepDeclared(output.schema)];
  return (value) => keep(write(value));
}

function listsOf({ properties = {} }: JsonSchema): ReadonlySet<string> {
  return new Set(Object.keys(properties).filter((name) => properties[name]?.type === "array"));
}
