import type { DefaultTheme } from "vitepress";
import { LANDING_PAGE } from "./navigation.js";
import { getTitle } from "./page-text.js";

type SearchOptions = NonNullable<DefaultTheme.LocalSearchOptions["miniSearch"]>;

/**
 * Options of the site's search, for the index and for queries.
 *
 * VitePress sends `processTerm` to browsers as source text, so it cannot use anything outside itself.
 */
export const searchOptions: SearchOptions = {
  options: {
    /** Drops words that most questions contain, and reduces plurals and verbs to their stem. */
    processTerm: (term) => {
      const word = term.toLowerCase().replace(/[’']s$/, "");
      const ignored =
        " a an and are as at be by can can't cannot could do does don't for from get has have how i if in into is it its me my of on or our should so that the their there this to use using was we what when where which who why will with would you your ";
      if (ignored.includes(` ${word} `)) return null;
      if (word.length < 5 || !/^[a-z]+$/.test(word)) return word;
      return word
        .replace(/ies$/, "y")
        .replace(/(?<=[^s])s$/, "")
        .replace(/(?<=[a-z]{4})(?:ing|ed)$/, "")
        .replace(/(?<=[a-z]{3})([bdgmnprt])\1$/, "$1")
        .replace(/(?<=[a-z]{4})e$/, "");
    },
  },
  searchOptions: {
    // A page that is named after a word ranks first for that word.
    boost: { title: 4, titles: 2, text: 1 },
    // An entry without an anchor contains the keywords of a page.
    boostDocument: (id: string) => {
      if (!id.includes("#")) return 5;
      if (id.startsWith("/errors/")) return 0.5;
      return id.startsWith("/reference/") ? 0.8 : 1.5;
    },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  },
};

/**
 * Words that people search for, but that a page does not use, or barely mentions. They become part of the index, not of
 * the page.
 */
export const KEYWORDS: Readonly<Record<string, string>> = {
  "docs/getting-started.md": "create a new server, quickstart, tutorial, install, hello world",
  "docs/guide/arguments.md":
    "validation, validate arguments, optional argument, default value, input schema, Zod",
  "docs/guide/authorization.md": "OAuth login, sign in, current user, scopes, roles",
  "docs/guide/configuration.md": ".env, dotenv, environment variables, secrets, process.env",
  "docs/guide/connect-clients.md": "Claude Desktop, Claude Code, Cursor, VS Code, Codex, Gemini",
  "docs/guide/database.md": "database connection, SQL, SQLite, Postgres, Prisma, Drizzle",
  "docs/guide/debugging.md": "breakpoints, debugger, VS Code, Chrome DevTools, inspect, attach",
  "docs/guide/dependencies.md": "dependency injection, constructor, singleton",
  "docs/guide/elicitation.md": "ask the user, question, confirmation, form, user input",
  "docs/guide/evals.md":
    "evaluate, benchmark, tool selection, LLM, model picks the wrong tool, OpenAI, Anthropic",
  "docs/guide/files.md": "upload, download, image, audio, PDF, binary, base64, blob",
  "docs/guide/logging.md": "console.log, logger, stdout, stderr, pino",
  "docs/guide/observability.md": "OpenTelemetry, Prometheus, metrics, traces, monitoring",
  "docs/guide/progress.md": "streaming, stream, cancel, abort, progress bar",
  "docs/guide/prompts.md": "autocomplete, suggestions",
  "docs/guide/sampling.md": "call an LLM, ask the model, use the client's model, completion",
  "docs/guide/skills.md": "agent skills, SKILL.md, instructions, playbook, workflow, runbook, SEP-2640",
  "docs/guide/views.md":
    "MCP Apps, widget, UI, user interface, chart, HTML, iframe, React, Preact, interactive, component",
  "docs/guide/tasks.md": "background job, polling, long-running",
  "docs/reference/comparison.md":
    "which framework is fastest, framework benchmark, performance, speed, alternatives, compare frameworks, fastest framework",
};

/**
 * Returns the HTML from which a page is indexed. Adds an entry with the title and keywords of the page, which links to its
 * top. The landing page is not indexed.
 *
 * @param html the rendered page
 * @param path the page's file
 */
export function searchableHtml(html: string, path: string): string {
  const file = path.replaceAll("\\", "/");
  if (file.endsWith(`packages/${LANDING_PAGE}`)) return "";
  const page = Object.keys(KEYWORDS).find((each) => file.endsWith(`packages/${each}`));
  return page === undefined ? html : `<h1>${getTitle(page)}<a href="#"></a></h1>${KEYWORDS[page]}${html}`;
}
