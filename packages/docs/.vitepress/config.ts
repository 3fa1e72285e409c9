import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vitepress";
import { codeLines } from "./code-lines.js";
import { githubSlug } from "./github-slug.js";
import { lineBreaks } from "./line-breaks.js";
import { writeMarkdownTwins } from "./markdown-twins.js";
import { sidebar } from "./navigation.js";
import { getSummary } from "./page-text.js";
import { recordings } from "./recordings.js";
import { searchOptions, searchableHtml } from "./search.js";
import { siteLink, sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");

/** The URL of the site, for preview images on other sites, and the repository, for "Edit this page". */
const { TENON_SITE_URL: siteUrl = "", GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: repository } = process.env;
const branch = process.env["TENON_DOCS_BRANCH"] ?? "main";

/** Resolves Vue from this folder, the only one in which it is installed, for the modules that are created from pages. */
const vueFromHere: Plugin = {
  name: "vue-from-here",
  enforce: "pre",
  resolveId(source, _importer, options) {
    if (!/^vue(?:\/|$)/.test(source)) return undefined;
    // Pages are rendered in a folder inside this one, where Node finds Vue.
    if (options.ssr === true) return { id: source, external: true };
    return this.resolve(source, join(import.meta.dirname, "config.ts"), { ...options, skipSelf: true });
  },
};

/** The site is built from `packages/`, because the pages of diagnostics are in the compiler, where `tenon explain` reads them. */
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
  vite: { plugins: [vueFromHere], publicDir: join(import.meta.dirname, "../public") },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" }],
    ["meta", { property: "og:site_name", content: "Tenon" }],
    ["meta", { property: "og:image", content: `${siteUrl}/social-card.png` }],
    ["meta", { property: "og:image:width", content: "1200" }],
    ["meta", { property: "og:image:height", content: "630" }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ],
  markdown: {
    theme: { light: "github-light-default", dark: "github-dark-default" },
    anchor: { slugify: githubSlug },
    languageAlias: { console: "shellsession" },
    codeTransformers: [codeLines],
    config: (md) => {
      lineBreaks(md);
      recordings(md);
      // Links are written for the repository, from file to file.
      md.core.ruler.push("site-links", ({ tokens, env }) => {
        const { realPath } = env as { realPath?: string };
        // The search index is made from the same text, and has no links.
        if (realPath === undefined) return;
        const from = relative(packages, realPath).replaceAll("\\", "/");
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const href = link.type === "link_open" ? link.attrGet("href") : null;
          if (href) link.attrSet("href", siteLink(href, from));
        }
      });
    },
  },
  transformPageData: (page) => ({ description: getSummary(page.filePath) }),
  // Programs find the Markdown of the page.
  transformHead: ({ pageData: { relativePath }, title, description }) =>
    relativePath === "404.md"
      ? []
      : [
          ["link", { rel: "alternate", type: "text/markdown", href: `/${relativePath}` }],
          ["meta", { property: "og:title", content: title }],
          ["meta", { property: "og:description", content: description }],
        ],
  themeConfig: {
    logo: { light: "/logo.svg", dark: "/logo-dark.svg", alt: "" },
    nav: [
      {
        text: "Get started",
        link: "/getting-started",
        activeMatch: "^/(?:getting-started|guide/existing-project|guide/troubleshooting)$",
      },
      {
        text: "Guides",
        link: "/guide/define-tools",
        activeMatch: "^/(?:guide/(?!existing-project|troubleshooting)|concepts/)",
      },
      { text: "Reference", link: "/reference/decorators", activeMatch: "^/reference/" },
      { text: "Diagnostics", link: "/errors/", activeMatch: "^/errors/" },
    ],
    notFound: {
      title: "Page not found",
      quote: "The page may have moved. The sidebar lists all pages, and the search finds them.",
      linkText: "Go to the start page",
      linkLabel: "Go to the start page",
    },
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: searchOptions,
        _render: (source, env, md) => searchableHtml(md.render(source, env), env.path),
      },
    },
    ...(host !== undefined &&
      repository !== undefined && {
        editLink: { pattern: `${host}/${repository}/edit/${branch}/packages/:path`, text: "Edit this page" },
      }),
    footer: { message: "Tenon is free software under the MIT License." },
    docFooter: { prev: "Previous", next: "Next" },
  },
  buildEnd: ({ outDir }) => writeMarkdownTwins(outDir),
});
