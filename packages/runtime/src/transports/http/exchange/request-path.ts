const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a request target, which may be a whole URL, as it is written: what looks different is different. */
export function requestPath(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(ORIGIN, "");
  return path.replace(/\?.*/s, "");
}
