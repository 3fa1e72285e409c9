import type { ServerLists } from "@tenon/compiler";
import {
  type HandlerRef,
  type Implementation,
  type Manifest,
  MANIFEST_VERSION,
  type Output,
  type Tool,
} from "@tenon/runtime/manifest";

/** Placeholder for handlers, which run in another process. */
const REMOTE_HANDLER: HandlerRef = { module: "", export: "", method: "", parameters: [] };

/** Converts the lists of a running server to a manifest. */
export function toListedManifest(
  lists: ServerLists,
  server: Implementation,
  instructions?: string,
): Manifest {
  return {
    manifestVersion: MANIFEST_VERSION,
    server,
    ...(instructions !== undefined && { instructions }),
    tools: lists.tools.map((definition) => {
      return { definition, handler: REMOTE_HANDLER, input: {}, output: toOutput(definition) };
    }),
    prompts: lists.prompts.map((definition) => ({ definition, handler: REMOTE_HANDLER, input: {} })),
    resources: lists.resources.map((definition) => ({ definition, handler: REMOTE_HANDLER })),
    resourceTemplates: lists.resourceTemplates.map((definition) => {
      return { definition, handler: REMOTE_HANDLER, input: {} };
    }),
  };
}

function toOutput({ outputSchema }: Tool): Output {
  return { kind: outputSchema === undefined ? "content" : "structured" };
}
