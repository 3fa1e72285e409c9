/**
 * The anchor of a heading as GitHub makes it, so that links work in the repository and on the site alike.
 *
 * @example
 * githubSlug("What `ctx.step` keeps") // "what-ctxonce-keeps"
 */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
