/**
 * Parses a URL. Unlike `URL.canParse`, it accepts hosts with letters beyond ASCII in Node 20 and 22 at any time: there,
 * `canParse` rejects them after some thousand calls, when V8 has optimized its caller.
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
