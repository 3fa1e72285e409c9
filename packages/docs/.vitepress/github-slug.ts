/**
 * Returns the anchor of a heading as GitHub creates it, so that links work both in the repository and on the site.
 *
 * @example
 * githubSlug("Results of `ctx.step`") // "results-of-ctxstep"
 */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
