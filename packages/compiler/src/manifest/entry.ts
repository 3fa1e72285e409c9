import type { PromptEntry, ResourceEntry, ResourceTemplateEntry, ToolEntry } from "@tenon/runtime/manifest";
import type { Declaration, PromptDeclaration, ResourceDeclaration, ToolDeclaration } from "../model.js";
import type { BuildContext } from "./build-context.js";
import { checkClassComment } from "../check/class-comment.js";
import { checkHeaders } from "../check/headers.js";
import { checkRepeatedTemplates } from "../check/repeated-templates.js";
import { checkSecretDefaults } from "../check/secret-defaults.js";
import { createProtocolTypes } from "./protocol-types.js";
import { buildPrompt } from "./prompt.js";
import { buildResource, buildResourceTemplate } from "./resource.js";
import { checkSecretText } from "./secret-text.js";
import { buildTool } from "./tool.js";

/** A declaration, and the entry of the manifest that serves it. */
export type BuiltEntry =
  | { kind: "tool"; declaration: ToolDeclaration; entry: ToolEntry }
  | { kind: "prompt"; declaration: PromptDeclaration; entry: PromptEntry }
  | { kind: "resource"; declaration: ResourceDeclaration; entry: ResourceEntry }
  | { kind: "resource template"; declaration: ResourceDeclaration; entry: ResourceTemplateEntry };

export type BuiltTool = Extract<BuiltEntry, { kind: "tool" }>;

/**
 * Builds the entries of all declarations, with schemas as exact as their types; profiles change what is listed. A
 * declaration that cannot be served has no entry, and diagnostics explain why.
 */
export function buildEntries(
  declarations: readonly Declaration[],
  given: Omit<BuildContext, "protocol">,
): BuiltEntry[] {
  const { project, cache, collector } = given;
  const context = { ...given, protocol: createProtocolTypes(project, cache.runtime) };
  const entries = declarations.flatMap((declaration) => {
    const built = buildEntry(declaration, context);
    if (built?.kind === "tool") {
      const { inputSchema } = built.entry.definition;
      checkHeaders(built.declaration, inputSchema, project.checker, collector);
      checkSecretDefaults(built.declaration, inputSchema, project.checker, collector);
    }
    checkClassComment(declaration, cache.comments, collector);
    checkSecretText(declaration, context);
    const { options, guards, callbacks, rateLimit } = declaration;
    const { scopes = [], timeoutMs } = options;
    if (built && scopes.length > 0) built.entry.scopes = [...new Set(scopes)];
    if (built && guards.length > 0) built.entry.guards = [...guards];
    if (built) Object.assign(built.entry, callbacks);
    if (built && rateLimit) built.entry.rateLimit = rateLimit;
    if (built && timeoutMs !== undefined) built.entry.timeoutMs = timeoutMs;
    return built ?? [];
  });
  checkRepeatedTemplates(
    entries.filter((built) => built.kind === "resource template"),
    collector,
  );
  return entries;
}

function buildEntry(declaration: Declaration, context: BuildContext): BuiltEntry | undefined {
  switch (declaration.kind) {
    case "tool": {
      const entry = buildTool(declaration, context);
      return entry && { kind: "tool", declaration, entry };
    }
    case "prompt": {
      const entry = buildPrompt(declaration, context);
      return entry && { kind: "prompt", declaration, entry };
    }
    case "resource": {
      if (declaration.name.kind === "resource") {
        const entry = buildResource(declaration, context);
        return entry && { kind: "resource", declaration, entry };
      }
      const entry = buildResourceTemplate(declaration, context);
      return entry && { kind: "resource template", declaration, entry };
    }
  }
}
