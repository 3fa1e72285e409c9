import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vitepress";
import { codeLines } from "./code-lines.js";
import { githubSlug } from "./github-slug.js";
import { lineBreaks } from "./line-breaks.js";
import { writeMarkdownTwins } from "./markdown-twins.js";
import { sidebar } from "./navigation.js";
import { summaryOf } from "./page-text.js";
import { siteLink, sitePath } from "./site-paths.js";

const ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M4 6h24v8h-8v12h-8V14H4z" fill="#b4632a"/></svg>`,
  );

const packages = join(import.meta.dirname, "../..");

/** What pages become imports Vue from where they lie, and it is installed in this folder alone. */
const vueFromHere: Plugin = {
  name: "vue-from-here",
  enforce: "pre",
  resolveId(source, _importer, options) {
    if (!/^vue(?:\/|$)/.test(source)) return undefined;
    // Pages are rendered from a folder in this one, where Node finds it.
    if (options.ssr === true) return { id: source, external: true };
    return this.resolve(source, join(import.meta.dirname, "config.ts"), { ...options, skipSelf: true });
  },
};

/** Pages lie where their packages are, so that they travel with them; the site is made of all of `packages/`. */
export default defineConfig({
  title: "Tenon",
  description: "MCP servers from TypeScript classes.",
  srcDir: "..",
  outDir: "dist",
  cleanUrls: true,
  srcExclude: [
    "*.md",
    "*/README.md",
    "*/CHANGELOG.md",
    "**/node_modules/**",
    "**/dist/**",
    "cli/{src,templates,playground}/**",
    "create-mcp-server/**",
    "*/src/**",
  ],
  rewrites: (path) => sitePath(path) ?? path,
  vite: { plugins: [vueFromHere] },
  head: [["link", { rel: "icon", href: ICON }]],
  markdown: {
    theme: { light: "github-light-default", dark: "github-dark-default" },
    anchor: { slugify: githubSlug },
    languageAlias: { console: "shellsession" },
    codeTransformers: [codeLines],
    config: (md) => {
      lineBreaks(md);
      // Links are written for the repository, from file to file.
      md.core.ruler.push("site-links", ({ tokens, env }) => {
        const { realPath } = env as { realPath?: string };
        // The index of the search is made of the same text, and has no links.
        if (realPath === undefined) return;
        const from = relative(packages, realPath).replaceAll("\\", "/");
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const href = link.type === "link_open" ? link.attrGet("href") : null;
          if (href) link.attrSet("href", siteLink(href, from));
        }
      });
    },
  },
  transformPageData: (page) => ({ description: summaryOf(page.filePath) }),
  // Programs find the page as it was written.
  transformHead: ({ pageData: { relativePath } }) =>
    relativePath === "404.md"
      ? []
      : [["link", { rel: "alternate", type: "text/markdown", href: `/${relativePath}` }]],
  themeConfig: {
    nav: [
      {
        text: "Start",
        link: "/start",
        activeMatch: "^/(?:start|guide/existing-project|guide/troubleshooting)?$",
      },
      {
        text: "Guides",
        link: "/guide/typing-tools",
        activeMatch: "^/(?:guide/(?!existing-project|troubleshooting)|concepts/)",
      },
      { text: "Reference", link: "/reference/decorators", activeMatch: "^/reference/" },
      { text: "Diagnostics", link: "/errors/", activeMatch: "^/errors/" },
    ],
    notFound: {
      title: "There is no such page",
      quote: "It may have another address now. The side bar has every page, and so has the search.",
      linkText: "To the start",
      linkLabel: "To the start",
    },
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: "Before", next: "Next" },
  },
  buildEnd: ({ outDir }) => writeMarkdownTwins(outDir),
});
