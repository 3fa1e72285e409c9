import type { CacheOptionsByList } from "../../api/define-server.js";
import { SKILL_SCHEME } from "../../manifest.js";
import type { Entries } from "./entries.js";
import type { Handler } from "./handlers.js";
import type { Settings } from "./settings.js";

/**
 * Returns a warning for each list and each resource that caches may share although it depends on the caller: with
 * `cacheScope: "public"`, a cache may show one caller what only another one may see.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export function findPublicCaches(entries: Entries, settings: Pick<Settings, "getCacheHint">): string[] {
  const { tools, prompts, resources, templates, skills = new Map<string, never>() } = entries;
  const lists: [keyof CacheOptionsByList, Iterable<[string, { handler: Handler }]>][] = [
    ["tools", tools],
    ["prompts", prompts],
    ["resources", resources],
    ["resourceTemplates", templates],
    ["skills", skills],
  ];
  const warnings: string[] = [];
  for (const [list, served] of lists) {
    if (settings.getCacheHint(list, false).cacheScope !== "public") continue;
    for (const [name, { handler }] of served)
      if (handler.canBeDisabled && dependsOnCaller(handler))
        warnings.push(explain(`\`cache.${list}.cacheScope\` of defineServer()`, "sees", name));
  }
  const areSkillsPublic = settings.getCacheHint("skills", false).cacheScope === "public";
  for (const [uri, { entry, handler }] of [...resources, ...templates]) {
    // That option also applies to the files of skills.
    if (areSkillsPublic && uri.startsWith(SKILL_SCHEME)) continue;
    const { authorize, cache } = handler.options;
    const needsScopes = (entry.scopes ?? []).length > 0;
    const isRestricted =
      authorize !== undefined || needsScopes || (handler.canBeDisabled && dependsOnCaller(handler));
    if (cache?.cacheScope === "public" && isRestricted)
      warnings.push(explain(`\`cache.cacheScope\` of the resource`, "may read", uri));
  }
  return warnings;
}

/** Returns whether an entry that can be hidden is hidden from some callers. An `enabled` without a parameter is the same for all. */
function dependsOnCaller({ options: { enabled, authorize } }: Handler): boolean {
  return authorize !== undefined || enabled?.length !== 0;
}

function explain(option: string, right: string, name: string): string {
  return (
    `${option} is "public", but not every caller ${right} "${name}": a cache may show it to others. ` +
    'Set it to "private", the default.'
  );
}
