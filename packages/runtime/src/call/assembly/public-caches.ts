import type { CacheOptionsByList } from "../../api/define-server.js";
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
  const { tools, prompts, resources, templates } = entries;
  const lists: [keyof CacheOptionsByList, Iterable<[string, { handler: Handler }]>][] = [
    ["tools", tools],
    ["prompts", prompts],
    ["resources", resources],
    ["resourceTemplates", templates],
  ];
  const warnings: string[] = [];
  for (const [list, served] of lists) {
    if (settings.getCacheHint(list, false).cacheScope !== "public") continue;
    for (const [name, { handler }] of served)
      if (dependsOnCaller(handler))
        warnings.push(explain(`\`cache.${list}.cacheScope\` of defineServer()`, "sees", name));
  }
  for (const [uri, { entry, handler }] of [...resources, ...templates]) {
    const isRestricted = dependsOnCaller(handler) || (entry.scopes ?? []).length > 0;
    if (handler.options.cache?.cacheScope === "public" && isRestricted)
      warnings.push(explain(`\`cache.cacheScope\` of the resource`, "may read", uri));
  }
  return warnings;
}

/** Returns whether the author's callbacks hide an entry from some callers. An `enabled` without a parameter is the same for all. */
function dependsOnCaller({ options: { enabled, authorize } }: Handler): boolean {
  return authorize !== undefined || (enabled !== undefined && enabled.length > 0);
}

function explain(option: string, right: string, name: string): string {
  return (
    `${option} is "public", but not every caller ${right} "${name}": a cache may show it to others. ` +
    'Set it to "private", which is the default.'
  );
}
