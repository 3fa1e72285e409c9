const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Returns the path of a request target, which may be a whole URL, without normalizing it. */
export function getRequestPath(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(ORIGIN, "");
  return path.replace(/\?.*/s, "");
}

/**
 * Returns the parameters of a request target, which is not parsed as a URL, because that fails for `//` and for `http://[/`.
 */
export function getRequestParameters(target: string): URLSearchParams {
  return new URLSearchParams(target.replace(/^[^?]*/, ""));
}
