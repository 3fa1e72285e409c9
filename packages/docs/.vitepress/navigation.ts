import { readdirSync } from "node:fs";
import { join } from "node:path";
import { titleOf } from "./page-text.js";
import { sitePath } from "./site-paths.js";

const packages = join(import.meta.dirname, "../..");

/** One group of the side bar: pages by their path from `packages/`. */
export interface Group {
  readonly text: string;
  readonly pages: readonly string[];
  readonly collapsed?: boolean;
}

const inDocs = (folder: string, ...names: readonly string[]): string[] =>
  names.map((name) => `docs/${folder}${name}.md`);

/** Every page, in the order in which somebody may read them. */
export function groups(): Group[] {
  return [
    {
      text: "Start",
      pages: [...inDocs("", "index", "start"), ...inDocs("guide/", "existing-project", "troubleshooting")],
    },
    {
      text: "Guides",
      pages: inDocs(
        "guide/",
        "typing-tools",
        "results",
        "resources",
        "prompts",
        "asking",
        "tasks",
        "errors",
        "dependencies",
        "configuration",
        "testing",
        "playground",
      ),
    },
    {
      text: "Running a server",
      pages: inDocs(
        "guide/",
        "authorization",
        "limits",
        "http",
        "docker",
        "workers",
        "several-machines",
        "publishing",
        "clients",
      ),
    },
    { text: "Coming from", pages: inDocs("guide/", "from-sdk", "from-fastmcp", "from-nestjs") },
    { text: "Concepts", pages: inDocs("concepts/", "types", "eras", "replay") },
    {
      text: "Reference",
      pages: [
        ...inDocs("reference/", "decorators", "tags", "context", "configuration", "commands", "testing"),
        ...besidePackage("runtime", "ARGUMENTS", "RESULTS", "HTTP", "MOUNTING", "AUTH", "LIMITS", "SCALING"),
        ...besidePackage("cli"),
      ],
    },
    { text: "Diagnostics", pages: ["compiler/ERRORS.md", ...errorPages()], collapsed: true },
  ];
}

/** Pages that travel with a package: these first, then what others there are. */
function besidePackage(name: string, ...first: readonly string[]): string[] {
  const others = readdirSync(join(packages, name))
    .filter((file) => file.endsWith(".md") && file !== "README.md" && file !== "CHANGELOG.md")
    .map((file) => file.replace(/\.md$/, ""))
    .filter((each) => !first.includes(each));
  return [...first, ...others.sort()].map((each) => `${name}/${each}.md`);
}

function errorPages(): string[] {
  return readdirSync(join(packages, "compiler/errors"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `compiler/errors/${name}`);
}

/** The side bar of the site. */
export function sidebar(): { text: string; collapsed?: boolean; items: { text: string; link: string }[] }[] {
  return groups().map(({ text, pages, collapsed }) => ({
    text,
    ...(collapsed && { collapsed }),
    items: pages.map((path) => ({
      text: titleOf(path),
      link: `/${sitePath(path)?.replace(/(?:index)?\.md$/, "") ?? ""}`,
    })),
  }));
}
