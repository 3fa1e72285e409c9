import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ViewOptions } from "@tenon/runtime";
import { ts } from "../typescript/typescript.js";
import { reportViewSize } from "./check-view-sizes.js";
import type { View, ViewContext } from "./view.js";
import { findUndeclaredOrigin } from "./view-origins.js";

type List = keyof NonNullable<ViewOptions["csp"]>;

/** The elements that load a file, with the attribute that names it, and the list of `csp` that allows its origin. */
const LOADING: Readonly<Record<string, readonly [attribute: string, list: List]>> = {
  script: ["src", "resourceDomains"],
  link: ["href", "resourceDomains"],
  img: ["src", "resourceDomains"],
  audio: ["src", "resourceDomains"],
  video: ["src", "resourceDomains"],
  source: ["src", "resourceDomains"],
  iframe: ["src", "frameDomains"],
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
  list: List;
  /** The offset of the URL. */
  start: number;
}

/** Matches a tag up to the end of its attributes. */
const TAG = /<([a-z]+)\b((?:\s+[^\s"'>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)/gi;

/** Finds the files that the tags of an HTML file load, except for data in the file itself. */
function findLoadedFiles(html: string): LoadedFile[] {
  const blank = (text: string): string => " ".repeat(text.length);
  const markup = html
    .replaceAll(/(?<=<(script|style)\b[^>]*>)[^]*?(?=<\/\1)/gi, blank)
    .replaceAll(/<!--[^]*?-->/g, blank);
  return [...markup.matchAll(TAG)].flatMap(({ index, 1: tag = "", 2: attributes = "" }): LoadedFile[] => {
    const name = tag.toLowerCase();
    const [attribute, list] = LOADING[name] ?? [];
    const url = attribute === undefined ? undefined : findAttribute(attributes, attribute);
    if (list === undefined || url === undefined || isInline(url.value)) return [];
    const rel = findAttribute(attributes, "rel")?.value ?? "";
    if (name === "link" && !/stylesheet|preload/i.test(rel)) return [];
    return [{ url: url.value, list, start: index + 1 + tag.length + url.start }];
  });
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
