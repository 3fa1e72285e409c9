import type { Input, Tool } from "@tenon/runtime/manifest";
import type { ToolDeclaration } from "../model.js";
import type { Loss } from "../profiles/lowering.js";
import { ALLOWANCES, lower } from "../profiles/profiles.js";
import type { Derived } from "../schema/derive.js";
import type { BuildContext } from "./build-context.js";
import { planOf } from "./plan.js";

/**
 * A tool's arguments as the clients of the profile see them, and as the runtime checks them: what is listed may
 * say less, what is checked never does.
 */
export function listInput(
  derived: Derived,
  declaration: ToolDeclaration,
  context: BuildContext,
): { schema: Tool["inputSchema"]; input: Input } {
  const { profile } = context;
  const { schema, losses } = lower(derived.schema, profile);
  if (losses.length > 0) {
    const { name } = declaration;
    context.collector.reporter(name)("profile-loses", declaration.method.name, {
      profile,
      tool: name.name,
      losses: losses.map((each) => lossText(each, name.name)),
    });
  }
  const allows = ALLOWANCES[profile];
  return {
    schema: schema as Tool["inputSchema"],
    input: {
      ...(schema !== derived.schema && { schema: derived.schema }),
      ...planOf(derived),
      ...(Object.keys(allows).length > 0 && { allows }),
    },
  };
}

function lossText({ path, loss }: Loss, tool: string): string {
  return path.length === 0 ? `the arguments of tool \`${tool}\` ${loss}` : `\`${path.join(" → ")}\` ${loss}`;
}
