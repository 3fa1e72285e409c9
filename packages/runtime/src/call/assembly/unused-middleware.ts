import type { LimitedMiddleware, Middleware } from "../../api/middleware.js";

/**
 * Returns a warning for each middleware that never runs, because `middlewareFor` limits it to a class or an instance that
 * has no handlers, or that another `middlewareFor` around it excludes.
 *
 * @param owners the instances of the handlers, and the classes of static ones
 */
export function findUnusedMiddleware(use: readonly Middleware[], owners: ReadonlySet<object>): string[] {
  return use.flatMap((each, index) => {
    const { explainUnused } = each as Partial<LimitedMiddleware>;
    return explainUnused?.(`use[${index}] of defineServer()`, [...owners]) ?? [];
  });
}
