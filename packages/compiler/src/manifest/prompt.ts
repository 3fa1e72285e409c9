import type { Prompt, PromptArgument, PromptEntry } from "@tenon/runtime/manifest";
import { withoutCode } from "../diagnostics/diagnostic.js";
import { checkCompleters } from "../check/completers.js";
import { findNonTextProperties } from "../check/scalars.js";
import type { PromptDeclaration } from "../model.js";
import { moveToDescription } from "../json-schema/keyword-sentences.js";
import { deriveArguments } from "../schema/arguments/arguments.js";
import { deriveTypes } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { createHandlerRef, describeDeclaration, toMeta } from "./definition.js";
import { findOmittedMembers, findUntypedMessage, getResultType, hasFile, isPromptResult } from "./output.js";
import { formatType } from "../typescript/type-text.js";

/** Keywords that only inform the user. Without a schema, the description is the only place for them. */
const DESCRIBED_KEYWORDS = ["deprecated", "examples"];

/** Builds a prompt. The protocol lists arguments without types; their text is converted according to the schema. */
export function buildPrompt(declaration: PromptDeclaration, context: BuildContext): PromptEntry | undefined {
  const { options, name, method } = declaration;
  const { checker } = context.project;
  const report = context.collector.createReport(name);
  const facts = describeDeclaration(options, declaration.documented, context.cache);
  if (!facts.description) report("description-missing", method.name, { kind: "prompt", name: name.name });

  const result = getResultType(declaration.signature, checker);
  for (const each of findOmittedMembers(result, "PromptResult", context.protocol)) {
    const at = method.type ?? method.name;
    report("result-member-omitted", at, {
      kind: "prompt",
      name: name.name,
      result: "PromptResult",
      ...each,
    });
  }
  const isValid = isPromptResult(result, context.protocol);
  if (!isValid) {
    report("prompt-result-invalid", method.type ?? method.name, {
      prompt: name.name,
      type: formatType(result, checker),
    });
  }
  const untyped = isValid && findUntypedMessage(result, context.protocol);
  if (untyped)
    deriveTypes([untyped], method.type ?? method.name, false, {
      checker,
      report,
      direction: "output",
      owner: declaration.owner.node.compilerNode,
      subject: name,
      cache: context.cache,
    });
  const derived = deriveArguments(declaration.signature, method, {
    checker,
    // This schema is not listed, so clients cannot reject it.
    report: withoutCode(report, "type-enum-of-numbers"),
    direction: "input",
    owner: declaration.owner.node.compilerNode,
    subject: name,
    cache: context.cache,
  });
  if (!derived) return undefined;
  for (const argument of findNonTextProperties(derived.schema)) {
    const node = declaration.signature.parameters.find((each) => each.name === argument)?.valueDeclaration;
    report("prompt-argument-not-text", node ?? method.name, { prompt: name.name, argument });
  }
  const { additionalProperties = false, patternProperties } = derived.schema;
  if (additionalProperties !== false || patternProperties)
    report(
      "prompt-arguments-unlisted",
      declaration.signature.parameters[0]?.valueDeclaration ?? method.name,
      {
        prompt: name.name,
      },
    );
  const promptArguments = Object.entries(derived.schema.properties ?? {}).map(
    ([argument, schema]): PromptArgument => {
      const { title, description } = moveToDescription(schema, DESCRIBED_KEYWORDS);
      return {
        name: argument,
        ...(title && { title }),
        ...(description && { description }),
        ...(derived.schema.required?.includes(argument) && { required: true }),
      };
    },
  );
  checkCompleters(
    declaration,
    promptArguments.map((each) => each.name),
    checker,
    context.collector,
  );
  const { title, description, icons } = facts;
  const definition: Prompt = {
    name: name.name,
    ...(title && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
    ...(promptArguments.length > 0 && { arguments: promptArguments }),
    ...toMeta(options),
  };
  const { parameters, ...input } = derived;
  const files = hasFile(result, checker) && { files: true as const };
  return { definition, handler: createHandlerRef(declaration, parameters), input, ...files };
}
