import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { groups, LANDING_PAGE } from "./navigation.js";
import { getSummary, getTitle } from "./page-text.js";
import { siteLink, sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");
const SUMMARY =
  "Tenon makes MCP servers from TypeScript classes: it reads the types and writes schemas, validators, and protocol.";

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
      const text = writeTwin(path);
      twins.set(on, text);
      list.push(`- [${getTitle(path)}](/${on}): ${getSummary(path)}`);
      if (!path.startsWith("compiler/errors/")) full.push(text);
    }
  }
  twins.set("llms.txt", `${list.join("\n")}\n`);
  twins.set("llms-full.txt", full.join("\n"));
  return twins;
}

/** Returns the Markdown of a page with links of the site, without the parts that only tests read. */
function writeTwin(path: string): string {
  const text = readFileSync(join(packages, path), "utf8");
  return (
    (path === LANDING_PAGE ? withoutLayout(text) : text)
      .replaceAll(/<!-- given:[\s\S]*?-->\n+/g, "")
      // The page has the commands of its recording.
      .replaceAll(/^\[[^\]]*\]\([^)]*\.cast\)\n+/gm, "")
      // Programs that read Markdown get the description of a picture.
      .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "*$1*")
      .replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${markdownLink(siteLink(href, path))})`)
  );
}

/** Removes the frontmatter, elements, comments, and pictures that arrange the landing page. */
function withoutLayout(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n+/, "").replaceAll(/^(?:<\/?div[^>]*>|<!--.*-->|!\[.*)\n+/gm, "");
}

/** `/guide/x#y` is `/guide/x.md#y`. */
function markdownLink(link: string): string {
  if (!link.startsWith("/")) return link;
  const [page = "", anchor] = link.split("#", 2);
  const file = page.endsWith("/") ? `${page}index.md` : `${page}.md`;
  return anchor === undefined ? file : `${file}#${anchor}`;
}
