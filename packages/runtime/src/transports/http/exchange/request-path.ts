const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Returns the path of a request target, which may be a whole URL, without normalizing it. */
export function getRequestPath(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(ORIGIN, "");
  return path.replace(/\?.*/s, "");
}
