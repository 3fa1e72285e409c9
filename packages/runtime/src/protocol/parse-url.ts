/**
 * Parses a URL. Unlike `URL.canParse`, it accepts hosts with non-ASCII letters in Node 20 and 22 at any time: there,
 * `canParse` rejects them after a few thousand calls, when V8 has optimized its caller.
 *
 * @returns undefined for text that is not a URL
 * @example
 * parseUrl("https://müller.example/")?.host // "xn--mller-kva.example"
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns whether text is an absolute URL with the scheme `http` or `https`. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? "");
}
