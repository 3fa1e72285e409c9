import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ViewOptions } from "@tenon/runtime";
import { ts } from "../typescript/typescript.js";
import { reportViewSize } from "./check-view-sizes.js";
import type { View, ViewContext } from "./view.js";
import { findUndeclaredOrigin } from "./view-origins.js";

type List = keyof NonNullable<ViewOptions["csp"]>;

/** The elements that load files, with the attributes that name them. */
const LOADING: Readonly<Record<string, readonly string[]>> = {
  script: ["src"],
  link: ["href"],
  img: ["src", "srcset"],
  image: ["href", "xlink:href"],
  audio: ["src"],
  video: ["src", "poster"],
  source: ["src", "srcset"],
  track: ["src"],
  embed: ["src"],
  object: ["data"],
  iframe: ["src"],
};

/** Checks an HTML file that the author built: its size, and the files that it loads. */
export function checkViewHtml(view: View, { project, collector }: ViewContext): void {
  const path = join(project.root, view.path);
  const html = readFileSync(path, "utf8");
  reportViewSize(view, Buffer.byteLength(html), collector);
  const report = collector.createReport(view.tools[0]?.name);
  const file = ts.createSourceMapSource(path, html);
  for (const { url, list, start } of findLoadedFiles(html)) {
    const at = { file, start, end: start + url.length };
    if (!/^(?:https?:)?\/\//i.test(url)) {
      report("view-not-self-contained", at, { path: view.path, url });
      continue;
    }
    const origin = findUndeclaredOrigin(new URL(url, "https://x").href, list, view.options);
    if (origin !== undefined) report("view-origin-missing", at, { origin, list });
  }
}

interface LoadedFile {
  url: string;
  /** The list of `csp` that allows the origin. */
  list: List;
  /** The offset of the URL. */
  start: number;
}

/** Matches a tag up to the end of its attributes. */
const TAG = /<([a-z]+)\b((?:\s+[^\s"'>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)/gi;

/** Matches the content of an element whose content is not HTML. */
const CONTENT = {
  script: /(?<=<(script)\b[^>]*>)[^]*?(?=<\/\1)/gi,
  style: /(?<=<(style)\b[^>]*>)[^]*?(?=<\/\1)/gi,
};

/** Matches what a style sheet loads. */
const STYLE_URL = /(?:url\(\s*|@import\s+(?=["']))(?:"([^"]*)"|'([^']*)'|([^\s"')]+))/gi;

/** Finds the files that the tags and the style sheets of an HTML file load, except for data in the file itself. */
function findLoadedFiles(html: string): LoadedFile[] {
  const blank = (text: string): string => " ".repeat(text.length);
  const visible = html.replaceAll(CONTENT.script, blank).replaceAll(/<!--[^]*?-->/g, blank);
  const inTags = [...visible.replaceAll(CONTENT.style, blank).matchAll(TAG)].flatMap(
    ({ index, 1: tag = "", 2: attributes = "" }): LoadedFile[] => {
      const name = tag.toLowerCase();
      const find = (attribute: string): Omit<LoadedFile, "list"> | undefined => {
        const found = findAttribute(attributes, attribute);
        return found && { url: found.value, start: index + 1 + tag.length + found.start };
      };
      const style = find("style");
      const styled = style ? findStyleUrls(style.url, style.start) : [];
      if (name === "link" && !/stylesheet|preload/i.test(find("rel")?.url ?? "")) return styled;
      const list = name === "iframe" ? "frameDomains" : "resourceDomains";
      const loaded = (LOADING[name] ?? []).flatMap((attribute) => {
        const found = find(attribute);
        if (!found) return [];
        return attribute === "srcset" ? splitCandidates(found) : [found];
      });
      return [...styled, ...loaded.map((each) => ({ ...each, list }) as const)];
    },
  );
  const inSheets = [...visible.matchAll(CONTENT.style)].flatMap(({ 0: css, index }) =>
    findStyleUrls(css, index),
  );
  return [...inTags, ...inSheets].filter(({ url }) => !isInline(url)).sort((a, b) => a.start - b.start);
}

function findStyleUrls(css: string, start: number): LoadedFile[] {
  const code = css.replaceAll(/\/\*[^]*?\*\//g, (comment) => " ".repeat(comment.length));
  return [...code.matchAll(STYLE_URL)].flatMap(({ 0: text, index, 1: double, 2: single, 3: bare = "" }) => {
    const url = double ?? single ?? bare;
    // The URL of a namespace is only a name.
    if (/@namespace\s+(?:\w+\s+)?$/i.test(code.slice(Math.max(0, index - 80), index))) return [];
    return [{ url, list: "resourceDomains", start: start + index + text.lastIndexOf(url) }];
  });
}

/** Splits a `srcset`, whose candidates are URLs with a size each. */
function splitCandidates({ url, start }: Omit<LoadedFile, "list">): Omit<LoadedFile, "list">[] {
  return [...url.matchAll(/(?:^\s*|,\s+)(\S+?)(?=,?(?:\s|$))/g)].map(({ 0: text, 1: each = "", index }) => ({
    url: each,
    start: start + index + text.indexOf(each),
  }));
}

/** Returns whether a URL loads nothing, or is the content itself. */
function isInline(url: string): boolean {
  return url === "" || /^(?:data|about|blob):|^#/i.test(url);
}

/** Finds an attribute of a tag. Returns its value and the offset of the value. */
function findAttribute(attributes: string, name: string): { value: string; start: number } | undefined {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
  const found = pattern.exec(attributes);
  const value = found?.slice(1).find((each) => each !== undefined);
  if (!found || value === undefined) return undefined;
  return { value, start: found.index + found[0].lastIndexOf(value) };
}
