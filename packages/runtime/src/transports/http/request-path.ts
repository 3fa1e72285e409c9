/** The path of a request target, which may be a whole URL. */
export function requestPath(target: string): string {
  const path = target.startsWith("/") || !URL.canParse(target) ? target : new URL(target).pathname;
  return path.replace(/\?.*/s, "");
}
