import type { ServerLists } from "@tenon/compiler";
import {
  type HandlerRef,
  type Implementation,
  type Manifest,
  MANIFEST_VERSION,
  type Output,
  type Tool,
} from "@tenon/runtime/manifest";

/** Nobody's: what answers is somewhere else. */
const ELSEWHERE: HandlerRef = { module: "", export: "", method: "", parameters: [] };

/** What a running server lists, in the form in which a compiled one is described. */
export function listedManifest(lists: ServerLists, server: Implementation, instructions?: string): Manifest {
  return {
    manifestVersion: MANIFEST_VERSION,
    server,
    ...(instructions !== undefined && { instructions }),
    tools: lists.tools.map((definition) => {
      return { definition, handler: ELSEWHERE, input: {}, output: outputOf(definition) };
    }),
    prompts: lists.prompts.map((definition) => ({ definition, handler: ELSEWHERE, input: {} })),
    resources: lists.resources.map((definition) => ({ definition, handler: ELSEWHERE })),
    resourceTemplates: lists.resourceTemplates.map((definition) => {
      return { definition, handler: ELSEWHERE, input: {} };
    }),
  };
}

function outputOf({ outputSchema }: Tool): Output {
  return { kind: outputSchema === undefined ? "content" : "structured" };
}
