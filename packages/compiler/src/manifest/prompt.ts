import type { Prompt, PromptArgument, PromptEntry } from "@tenon/runtime/manifest";
import { withoutCode } from "../diagnostics/diagnostic.js";
import { propertiesBeyondText } from "../check/scalars.js";
import type { PromptDeclaration } from "../model.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import type { BuildContext } from "./build-context.js";
import { described, metaOf } from "./definition.js";
import { handlerRef } from "./handler.js";
import { isPromptResult, leftOutMembers, resultType } from "./output.js";

/** One prompt. Its arguments are listed without types, as the protocol has them; the schema converts the text. */
export function buildPrompt(declaration: PromptDeclaration, context: BuildContext): PromptEntry | undefined {
  const { options, name, method } = declaration;
  const { checker } = context.project;
  const report = context.collector.reporter(name);
  const facts = described(options, declaration.documented, context.cache.comments);
  if (!facts.description) report("description-missing", method.name, { kind: "prompt", name: name.name });

  const result = resultType(declaration.signature, checker);
  for (const each of leftOutMembers(result, "PromptResult", context.protocol)) {
    const at = method.type ?? method.name;
    report("result-member-left-out", at, {
      kind: "prompt",
      name: name.name,
      result: "PromptResult",
      ...each,
    });
  }
  if (!isPromptResult(result, context.protocol)) {
    report("prompt-result-invalid", method.type ?? method.name, {
      prompt: name.name,
      type: checker.typeToString(result),
    });
  }
  const derived = deriveArguments(declaration.signature, method, {
    checker,
    // No schema of these is listed, so no client refuses one.
    report: withoutCode(report, "type-enum-of-numbers"),
    direction: "input",
    owner: declaration.owner.node.compilerNode,
    subject: name,
    cache: context.cache,
  });
  if (!derived) return undefined;
  for (const argument of propertiesBeyondText(derived.schema)) {
    const node = declaration.signature.parameters.find((each) => each.name === argument)?.valueDeclaration;
    report("prompt-argument-not-text", node ?? method.name, { prompt: name.name, argument });
  }
  const promptArguments = Object.entries(derived.schema.properties ?? {}).map(
    ([argument, schema]): PromptArgument => ({
      name: argument,
      ...(schema.title && { title: schema.title }),
      ...(schema.description && { description: schema.description }),
      ...(derived.schema.required?.includes(argument) && { required: true }),
    }),
  );
  const { title, description, icons } = facts;
  const definition: Prompt = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    ...(promptArguments.length > 0 && { arguments: promptArguments }),
    ...metaOf(options),
  };
  const { parameters, ...input } = derived;
  return { definition, handler: handlerRef(declaration, parameters), input };
}
