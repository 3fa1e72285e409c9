import type { ts } from "../project/typescript.js";
import { describe, jsDocTags } from "../jsdoc/documentation.js";
import type { DeriveMemory } from "../schema/memory.js";

/** The JSDoc text of the nearest documented node. */
export function documentation(nodes: readonly ts.Node[], memory: DeriveMemory): string | undefined {
  for (const node of nodes) {
    const text = describe(node, memory);
    if (text) return text;
  }
  return undefined;
}

/** The text of a JSDoc tag on the nearest node that has it. */
export function tagText(nodes: readonly ts.Node[], name: string, memory: DeriveMemory): string | undefined {
  for (const node of nodes) {
    const text = jsDocTags(node, memory)
      .find((tag) => tag.name === name)
      ?.text.trim();
    if (text) return text;
  }
  return undefined;
}
