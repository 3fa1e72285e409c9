import type { Manifest } from "@tenon/runtime/manifest";
import { addOpenAiDialect, type DialectContext } from "./openai.js";

/** Adds the metadata of the dialects in `defineServer` to a manifest, and reports options that need a missing dialect. */
export function addDialects(manifest: Manifest, context: DialectContext): Manifest {
  const { config, declarations } = context.model;
  if (config?.dialects?.names.includes("openai")) return addOpenAiDialect(manifest, context);
  const edit = 'Write `dialects: ["openai"]` in `defineServer` in `src/server.ts`, or remove it.';
  const reason = "the server does not use OpenAI's dialect";
  for (const { options, name, decorator } of declarations) {
    const used = [
      ...(options.openai ? ["openai"] : []),
      ...(typeof options.view === "object" && options.view.openai ? ["view.openai"] : []),
    ];
    for (const option of used)
      context.collector.reporter(name)("option-without-effect", decorator, { option, reason, edit });
  }
  return manifest;
}
