import type { Expression } from "ts-morph";
import type { Manifest } from "@tenon/runtime/manifest";
import { hasErrors } from "../diagnostics/in-source-order.js";
import { findConfigOption, findMember, findOrigin, getMembers, isUndefined } from "../read/literals.js";
import type { ReadContext } from "../read/read-server.js";
import { Node, type ts } from "../typescript/typescript.js";
import type { CheckedModel } from "./check-model.js";
import { findOptions } from "./options.js";

/** The names of the tools that clients see in search mode. */
const OWN_TOOLS = ["search_tools", "call_tool"];

/** Options of `defineServer` that have an effect only if the server has something else. */
const DEPENDENT_OPTIONS: readonly {
  readonly path: readonly string[];
  readonly hasEffect: (manifest: Manifest, model: CheckedModel) => boolean;
  readonly reason: string;
}[] = [
  { path: ["cache", "tools"], hasEffect: ({ tools }) => tools.length > 0, reason: "the server has no tools" },
  {
    path: ["cache", "prompts"],
    hasEffect: ({ prompts }) => prompts.length > 0,
    reason: "the server has no prompts",
  },
  {
    path: ["cache", "skills"],
    hasEffect: ({ skills }) => skills !== undefined,
    reason: "the server has no skills",
  },
  {
    path: ["files", "allowedDownloadHosts"],
    hasEffect: (_manifest, { config }) => config?.dialects?.names.includes("openai") === true,
    reason: "clients send files as URLs only in OpenAI's dialect, which the server does not use",
  },
];

/**
 * Checks a complete manifest: that the server serves something, that the search mode works, and that options have an
 * effect.
 */
export function checkManifest(manifest: Manifest, model: CheckedModel, context: ReadContext): void {
  checkToolSearch(manifest, model, context);
  checkDependentOptions(manifest, model, context);
  checkUnknownArguments(manifest, model, context);
  reportEmptyServer(manifest, model, context);
}

/** Reports tools that the search mode would hide, and names in `always` that no tool has. */
function checkToolSearch(
  { tools, toolSearch }: Manifest,
  { config }: CheckedModel,
  { project, collector }: ReadContext,
): void {
  if (toolSearch === undefined || config === undefined) return;
  const at = config.argument && findConfigOption(config.argument, "toolSearch", project.checker);
  const names = tools.map(({ definition }) => definition.name);
  const report = collector.createReport();
  for (const name of OWN_TOOLS.filter((each) => names.includes(each)))
    report("tool-search-name-taken", at, { name });
  for (const name of toolSearch.always?.filter((each) => !names.includes(each)) ?? [])
    report("tool-search-unknown", at, { name, names });
}

function checkDependentOptions(
  manifest: Manifest,
  model: CheckedModel,
  { project, collector }: ReadContext,
): void {
  const { argument } = model.config ?? {};
  // Errors may be the reason why the server lacks something.
  if (argument === undefined || hasErrors(collector.diagnostics)) return;
  const report = collector.createReport();
  for (const { path, hasEffect, reason } of DEPENDENT_OPTIONS) {
    if (hasEffect(manifest, model)) continue;
    const at = findNestedOption(argument, path, project.checker);
    const edit = "Remove the option.";
    if (at !== undefined) report("option-without-effect", at, { option: path.join("."), reason, edit });
  }
}

/** Reports `unknownArguments` of tools whose schemas accept every argument. */
function checkUnknownArguments(
  { tools }: Manifest,
  { declarations }: CheckedModel,
  { project, collector }: ReadContext,
): void {
  const schemas = new Map(tools.map(({ definition }) => [definition.name, definition.inputSchema]));
  for (const declaration of declarations) {
    const { kind, name, options } = declaration;
    const schema = kind === "tool" ? schemas.get(name.name) : undefined;
    if (!schema || schema.additionalProperties === false || "unevaluatedProperties" in schema) continue;
    const literal = findOptions(declaration);
    const at = literal && findNestedOption(literal, ["unknownArguments"], project.checker);
    if (at === undefined) continue;
    collector.createReport(name)("option-without-effect", at, {
      option: "unknownArguments",
      ...(options.inputSchema
        ? {
            reason: "`inputSchema` accepts arguments that it does not declare",
            edit: "Write `additionalProperties: false` in `inputSchema`, or remove the option.",
          }
        : { reason: "the type of the arguments accepts every name", edit: "Remove the option." }),
    });
  }
}

/** Returns where a literal sets an option; undefined if it does not, or if the source does not show it. */
function findNestedOption(
  expression: Expression,
  [name = "", ...path]: readonly string[],
  checker: ts.TypeChecker,
): Node | undefined {
  const literal = findOrigin(expression);
  if (!Node.isObjectLiteralExpression(literal)) return undefined;
  const member = findMember(name, getMembers(literal, checker));
  if (member?.value === undefined || isUndefined(member.value)) return undefined;
  return path.length === 0 ? member.node : findNestedOption(member.value, path, checker);
}

/** Reports a project that declares nothing, unless errors already explain that. */
function reportEmptyServer(
  { skills }: Manifest,
  { hasRuntime, declarationsRead }: CheckedModel,
  { collector }: ReadContext,
): void {
  if (
    hasRuntime &&
    skills === undefined &&
    declarationsRead.length === 0 &&
    !hasErrors(collector.diagnostics)
  )
    collector.createReport()("server-empty", undefined, {});
}
