import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { groups } from "./navigation.js";
import { summaryOf, titleOf } from "./page-text.js";
import { siteLink, sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");
const SUMMARY =
  "Tenon makes MCP servers from TypeScript classes: it reads the types and writes schemas, validators and protocol.";

/**
 * Files for programs that read: `llms.txt` lists every page and says what it is about, `llms-full.txt` has all but the
 * diagnostics in one, and beside each page lies its markdown.
 *
 * @param outDir of the site
 */
export function writeMarkdownTwins(outDir: string): void {
  for (const [path, text] of markdownTwins()) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
  }
}

/** The text of those files, by their path on the site. */
export function markdownTwins(): Map<string, string> {
  const twins = new Map<string, string>();
  const list: string[] = [`# Tenon`, "", `> ${SUMMARY}`];
  const full: string[] = [];
  for (const { text: group, pages } of groups()) {
    list.push("", `## ${group}`, "");
    for (const path of pages) {
      const on = sitePath(path);
      if (on === undefined) continue;
      const text = twinOf(path);
      twins.set(on, text);
      list.push(`- [${titleOf(path)}](/${on}): ${summaryOf(path)}`);
      if (!path.startsWith("compiler/errors/")) full.push(text);
    }
  }
  twins.set("llms.txt", `${list.join("\n")}\n`);
  twins.set("llms-full.txt", full.join("\n"));
  return twins;
}

/** A page with the links of the site, and without what only its test reads. */
function twinOf(path: string): string {
  return readFileSync(join(packages, path), "utf8")
    .replaceAll(/<!-- given:[\s\S]*?-->\n+/g, "")
    .replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${markdownLink(siteLink(href, path))})`);
}

/** `/guide/x#y` is `/guide/x.md#y`. */
function markdownLink(link: string): string {
  if (!link.startsWith("/")) return link;
  const [page = "", anchor] = link.split("#", 2);
  const file = page.endsWith("/") ? `${page}index.md` : `${page}.md`;
  return anchor === undefined ? file : `${file}#${anchor}`;
}
