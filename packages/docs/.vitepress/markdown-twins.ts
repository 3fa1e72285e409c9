import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { groups, LANDING_PAGE } from "./navigation.js";
import { getSummary, getTitle } from "./page-text.js";
import { siteLink, sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");
const SUMMARY =
  "Tenon makes MCP servers from TypeScript classes: it reads the types, writes schemas and validators, and implements the protocol.";

/**
 * Writes files for programs that read the documentation: `llms.txt` lists every page with its summary, `llms-full.txt`
 * contains all pages except those of diagnostics, and next to each page is its Markdown.
 *
 * @param outDir the folder of the built site
 */
export function writeMarkdownTwins(outDir: string): void {
  for (const [path, text] of markdownTwins()) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
  }
}

/** Returns the text of these files, by their path on the site. */
export function markdownTwins(): Map<string, string> {
  const twins = new Map<string, string>();
  const list: string[] = [`# Tenon`, "", `> ${SUMMARY}`];
  const full: string[] = [];
  for (const { text: group, pages } of groups()) {
    list.push("", `## ${group}`, "");
    for (const path of pages) {
      const target = sitePath(path);
      if (target === undefined) continue;
      const text = createTwin(path);
      twins.set(target, text);
      list.push(`- [${getTitle(path)}](/${target}): ${getSummary(path)}`);
      if (!path.startsWith("compiler/errors/")) full.push(text);
    }
  }
  twins.set("llms.txt", `${list.join("\n")}\n`);
  twins.set("llms-full.txt", full.join("\n"));
  return twins;
}

/** Returns the Markdown of a page with the links of the site, without the parts that only tests read. */
function createTwin(path: string): string {
  const text = readFileSync(join(packages, path), "utf8");
  return (
    (path === LANDING_PAGE ? withoutLayout(text) : text)
      .replaceAll(/<!-- given:[\s\S]*?-->\n+/g, "")
      // The page contains the commands of its recording.
      .replaceAll(/^\[[^\]]*\]\([^)]*\.cast\)\n+/gm, "")
      // Programs that read Markdown receive the description of a picture.
      .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "*$1*")
      .replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${markdownLink(siteLink(href, path))})`)
  );
}

/** Removes the frontmatter, elements, comments, and pictures that lay out the landing page. */
function withoutLayout(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n+/, "").replaceAll(/^(?:<\/?div[^>]*>|<!--.*-->|!\[.*)\n+/gm, "");
}

/** Converts a link to a page to a link to its Markdown: `/guide/x#y` becomes `/guide/x.md#y`. */
function markdownLink(link: string): string {
  if (!link.startsWith("/")) return link;
  const [page = "", anchor] = link.split("#", 2);
  const file = page.endsWith("/") ? `${page}index.md` : `${page}.md`;
  return anchor === undefined ? file : `${file}#${anchor}`;
}
