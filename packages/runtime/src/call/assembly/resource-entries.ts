import type { Converters } from "../../data/conversion/converters.js";
import type { Cursor } from "../../api/cursor.js";
import { createMissingFeatureError } from "../application/lookup.js";
import { RESOURCE_RULE } from "../../data/options/decorator-rules.js";
import type { Cursors } from "./call-cursor.js";
import { checkCompleters, checkDecoratorOptions } from "./decorator-options.js";
import type { Entries, EntrySource, ServedResource, ServedTemplate } from "./entries.js";
import { CallCaller } from "../connection/call-caller.js";
import { parseUriTemplate, type UriTemplate, type UriVariables } from "../../data/conversion/uri-template.js";
import { hasSecrets } from "../../data/problems/secrets.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { DataOutput } from "../../manifest.js";
import type { Validation } from "../application/validation.js";
import { toPlainJson, toWrittenJson } from "../../data/results/json-text.js";
import { createDataWriter } from "../../data/results/data-writer.js";
import { createTextPlan } from "./text-arguments.js";

/**
 * Creates the entries of resources and resource templates.
 *
 * @throws Error if the manifest, classes, and validators do not belong to the same build
 * @throws TypeError for an invalid option of a decorator
 */
export function createResourceEntries({
  application: { manifest },
  resolve,
  converters,
  validation,
  cursors,
}: EntrySource): Pick<Entries, "resources" | "templates"> {
  const templates = manifest.resourceTemplates.map((entry): [string, ServedTemplate] => {
    const { uriTemplate } = entry.definition;
    const handler = resolve(entry.handler, { kind: "resource", uri: uriTemplate });
    const subject = `resource "${uriTemplate}"`;
    checkDecoratorOptions({ handler, entry }, RESOURCE_RULE, subject);
    const variables = createTextPlan(
      entry,
      validation.find("resourceTemplates", uriTemplate),
      converters,
      "variable",
    );
    const { owner, options } = handler;
    const { list } = options;
    const served: ServedTemplate = {
      entry,
      handler,
      toJson: createWriter(entry.output, converters, validation),
      arguments: variables,
      template: createTemplate(uriTemplate, variables.schema),
      hasSecrets: hasSecrets(variables.schema),
      list: list && ((call, cursor) => list.call(owner, new CallCaller(call), cursor as Cursor)),
      ...(list && list.length > 1 ? createListCursors(uriTemplate, cursors) : NO_PAGES),
    };
    checkCompleters(options, served.template.variables, "variable", subject);
    return [uriTemplate, served];
  });
  const resources = manifest.resources.map((entry): [string, ServedResource] => {
    const { uri } = entry.definition;
    const handler = resolve(entry.handler, { kind: "resource", uri });
    checkDecoratorOptions({ handler, entry }, RESOURCE_RULE, `resource "${uri}"`);
    return [uri, { entry, handler, toJson: createWriter(entry.output, converters, validation) }];
  });
  return { resources: new Map(resources), templates: new Map(templates) };
}

const NO_PAGES = { openListCursor: undefined, checkListPage: undefined };

/** Creates the functions that read the cursors of a template's list, and check those of its pages. */
function createListCursors(
  uriTemplate: string,
  cursors: Cursors | undefined,
): Pick<ServedTemplate, "openListCursor" | "checkListPage"> {
  if (cursors === undefined)
    throw createMissingFeatureError(`creates cursors for the list of resource "${uriTemplate}"`);
  const list = `resources ${uriTemplate}`;
  return {
    openListCursor: ({ peer }, text) => cursors.open(text, { list, principal: peer.principal, maxChars: 0 }),
    checkListPage: cursors.createPageCheck(list, `list of resource "${uriTemplate}"`),
  };
}

/** Creates the function that converts the data of a resource to JSON, without undeclared properties. */
function createWriter(
  output: DataOutput | undefined,
  { toJson }: Converters,
  validation: Validation,
): (value: unknown) => unknown {
  if (output === undefined) return toPlainJson;
  const write = createDataWriter(output, output.schema, toJson);
  return (value) => validation.checks.omitUndeclared(toWrittenJson(write(value)), output.schema);
}

/** Parses a template. An empty list expands to nothing, so a required list that a URI does not contain is empty. */
function createTemplate(uriTemplate: string, schema: JsonSchema): UriTemplate {
  const lists = findListVariables(schema);
  const template = parseUriTemplate(uriTemplate, lists);
  const required = (schema.required ?? []).filter((name) => lists.has(name));
  if (required.length === 0) return template;
  const match = (uri: string): UriVariables | undefined => {
    const found = template.match(uri);
    return found && { ...Object.fromEntries(required.map((name) => [name, [] as string[]])), ...found };
  };
  return { ...template, match };
}

function findListVariables({ properties = {} }: JsonSchema): ReadonlySet<string> {
  return new Set(Object.keys(properties).filter((name) => properties[name]?.type === "array"));
}
