import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { getTitle } from "./page-text.js";
import { sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");

/** A group in the sidebar: pages by their path relative to `packages/`. */
export interface Group {
  readonly text: string;
  readonly pages: readonly string[];
  readonly collapsed?: boolean;
  /** The page that the name of a collapsed group links to. */
  readonly link?: string;
}

const inDocs = (folder: string, ...names: readonly string[]): string[] =>
  names.map((name) => `docs/${folder}${name}.md`);

/** Returns every page, in reading order. */
export function groups(): Group[] {
  return [
    {
      text: "Start",
      pages: [
        ...inDocs("", "index", "getting-started"),
        ...inDocs("guide/", "existing-project", "debugging", "troubleshooting"),
      ],
    },
    {
      text: "Guides",
      pages: inDocs(
        "guide/",
        "define-tools",
        "arguments",
        "return-results",
        "views",
        "resources",
        "prompts",
        "skills",
        "handle-errors",
        "elicitation",
        "sampling",
        "progress",
        "tasks",
        "files",
        "database",
        "dependencies",
        "configuration",
        "logging",
        "testing",
        "evals",
        "playground",
      ),
    },
    {
      text: "Authorization",
      pages: inDocs(
        "guide/",
        "authorization",
        "identity-providers",
        "google-github-login",
        "other-apis",
        "api-keys",
      ),
    },
    {
      text: "Deploy",
      pages: inDocs(
        "guide/",
        "deploy",
        "serve-over-http",
        "docker",
        "vercel",
        "aws-lambda",
        "workers",
        "reverse-proxy",
        "tunnels",
        "multiple-processes",
        "security",
        "limits",
        "observability",
        "upgrading",
      ),
    },
    {
      text: "Clients and packages",
      pages: inDocs("guide/", "connect-clients", "claude-and-chatgpt", "package-and-publish", "directories"),
    },
    {
      text: "Migrate",
      pages: inDocs("guide/", "from-sdk", "from-fastmcp", "from-mcp-framework", "from-nestjs"),
    },
    {
      text: "Concepts",
      pages: inDocs("concepts/", "types-to-json-schema", "eras", "multi-round-trip-requests"),
    },
    {
      text: "Reference",
      pages: [
        ...inDocs("reference/", "decorators", "tags", "context", "configuration", "commands", "testing"),
        ...inDocs("reference/", "argument-coercion", "return-values", "http-transport", "mounting"),
        ...inDocs("reference/", "oauth-and-api-keys", "limits", "scaling-and-stores", "logs-metrics-traces"),
        ...inDocs("reference/", "import", "recordings", "comparison"),
      ],
    },
    {
      text: "Diagnostics",
      pages: ["compiler/ERRORS.md", ...errorPages()],
      collapsed: true,
      link: "/errors/",
    },
  ];
}

function errorPages(): string[] {
  return readdirSync(join(packages, "compiler/errors"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `compiler/errors/${name}`);
}

/** The start page of the site. The sidebar does not list it. */
export const LANDING_PAGE = "docs/index.md";

/** Returns the sidebar of the site. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return groups().map(({ text, pages, collapsed, link }) => ({
    text,
    ...(collapsed && { collapsed }),
    ...(link !== undefined && { link }),
    items: pages
      .filter((path) => path !== LANDING_PAGE)
      .map((path) => ({
        text: getTitle(path),
        link: `/${sitePath(path)?.replace(/(?:index)?\.md$/, "") ?? ""}`,
      })),
  }));
}
