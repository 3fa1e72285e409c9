import type { LimitedMiddleware, Middleware } from "../../api/middleware.js";

/**
 * Returns a warning for each middleware that never runs, because `middlewareFor` limits it to a class or an instance that
 * has no handlers.
 *
 * @param owners the instances of the handlers, and the classes of static ones
 */
export function findUnusedMiddleware(use: readonly Middleware[], owners: ReadonlySet<object>): string[] {
  return use.flatMap((each, index) => {
    const { select, explainUnused } = each as Partial<LimitedMiddleware>;
    if (select === undefined || [...owners].some((instance) => select(instance).length > 0)) return [];
    return `use[${index}] of defineServer() never runs: middlewareFor() limits it to ${explainUnused?.() ?? ""}`;
  });
}
