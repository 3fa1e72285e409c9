import type { ServedResource, ServedTemplate } from "./entries.js";
import type { Vocabulary } from "../explain/vocabulary.js";
import type { FeaturedApplication } from "../features.js";
import type { HandlerResolver } from "./handlers.js";
import { parseUriTemplate } from "../values/uri-template.js";
import { serve, textPlan, validatorOf } from "./plans.js";

export interface ResourceEntries {
  readonly resources: ReadonlyMap<string, ServedResource>;
  readonly templates: ReadonlyMap<string, ServedTemplate>;
}

/** @throws Error when manifest, classes and validators do not belong together. */
export function createResourceEntries(
  { manifest, validators, features }: FeaturedApplication,
  { resolve }: HandlerResolver,
  vocabulary: Vocabulary,
): ResourceEntries {
  const templates = manifest.resourceTemplates.map((entry): [string, ServedTemplate] => {
    const { uriTemplate } = entry.definition;
    const { input } = validatorOf(validators.resourceTemplates, uriTemplate, "resource template");
    const handler = resolve(entry.handler);
    const served: ServedTemplate = {
      entry,
      ...serve(handler),
      arguments: textPlan(entry, input, "variable", features, vocabulary),
      template: parseUriTemplate(uriTemplate),
      list: handler.options.list,
    };
    return [uriTemplate, served];
  });
  const resources = manifest.resources.map((entry): [string, ServedResource] => [
    entry.definition.uri,
    { entry, ...serve(resolve(entry.handler)) },
  ]);
  return { resources: new Map(resources), templates: new Map(templates) };
}
