import type { ViewOptions } from "@tenon/runtime";

/** A file that a view loads. */
export interface LoadedFile {
  url: string;
  /** The list of `csp` that allows the origin. */
  list: keyof NonNullable<ViewOptions["csp"]>;
  /** The offset of the URL. */
  start: number;
}

/** Matches what a style sheet loads. */
const STYLE_URL = /(?:url\(\s*|@import\s+(?=["']))(?:"([^"]*)"|'([^']*)'|([^\s"')]+))/gi;

/** Finds the files that a style sheet loads. The offset of its text is `start`. */
export function findStyleUrls(css: string, start = 0): LoadedFile[] {
  const code = css.replaceAll(/\/\*[^]*?\*\//g, (comment) => " ".repeat(comment.length));
  return [...code.matchAll(STYLE_URL)].flatMap(({ 0: text, index, 1: double, 2: single, 3: bare = "" }) => {
    const url = double ?? single ?? bare;
    // The URL of a namespace is only a name.
    if (/@namespace\s+(?:\w+\s+)?$/i.test(code.slice(Math.max(0, index - 80), index))) return [];
    return [{ url, list: "resourceDomains", start: start + index + text.lastIndexOf(url) }];
  });
}

/** Returns whether a URL loads nothing, or is the content itself. */
export function isInline(url: string): boolean {
  return url === "" || /^(?:data|about|blob):|^#/i.test(url);
}

/** Returns whether a URL names a server. */
export function isRemote(url: string): boolean {
  return /^(?:https?:|wss?:)?\/\//i.test(url);
}
