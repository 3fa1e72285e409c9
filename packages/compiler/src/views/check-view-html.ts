import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "../typescript/typescript.js";
import { reportViewSize } from "./check-view-sizes.js";
import type { View, ViewContext } from "./view.js";
import { findUndeclaredOrigin } from "./view-origins.js";
import { findStyleUrls, isInline, isRemote, type LoadedFile } from "./view-styles.js";

/** The elements that load files, with the attributes that name them. */
export const LOADING: Readonly<Record<string, readonly string[]>> = {
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
    if (!isRemote(url)) {
      report("view-not-self-contained", at, { path: view.path, url, isModule: false });
      continue;
    }
    const origin = findUndeclaredOrigin(new URL(url, "https://x").href, list, view.options);
    if (origin !== undefined) report("view-origin-missing", at, { origin, list });
  }
}

/** Matches a tag up to the end of its attributes. */
const TAG = /<([a-z]+)\b((?:\s+[^\s"'>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)/gi;

/** Matches the content of an element whose content is not HTML. */
const CONTENT = {
  script: /(?<=<(script)\b[^>]*>)[^]*?(?=<\/\1)/gi,
  style: /(?<=<(style)\b[^>]*>)[^]*?(?=<\/\1)/gi,
};

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

/** Splits a `srcset`, whose candidates are URLs with a size each. */
export function splitCandidates({ url, start }: Omit<LoadedFile, "list">): Omit<LoadedFile, "list">[] {
  return [...url.matchAll(/(?:^\s*|,\s+)(\S+?)(?=,?(?:\s|$))/g)].map(({ 0: text, 1: each = "", index }) => ({
    url: each,
    start: start + index + text.indexOf(each),
  }));
}

/** Finds an attribute of a tag. Returns its value and the offset of the value. */
function findAttribute(attributes: string, name: string): { value: string; start: number } | undefined {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
  const found = pattern.exec(attributes);
  const value = found?.slice(1).find((each) => each !== undefined);
  if (!found || value === undefined) return undefined;
  return { value, start: found.index + found[0].lastIndexOf(value) };
}
