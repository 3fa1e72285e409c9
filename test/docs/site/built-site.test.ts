/** Content of the built site, except its appearance. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { groups, LANDING_PAGE } from "../../../packages/docs/.vitepress/navigation.js";
import { KEYWORDS, searchOptions } from "../../../packages/docs/.vitepress/search.js";
import { sitePath } from "../../../packages/docs/.vitepress/site-paths.js";
import { workspace } from "../pages.js";
import { REPOSITORY, SITE } from "./build-site.js";

/** Questions of newcomers, and the pages that answer them. One of these must be among the first three results. */
const QUESTIONS: readonly (readonly [question: string, ...pages: string[]])[] = [
  ["how do I create a server", "/getting-started"],
  ["comparison with other frameworks", "/reference/comparison"],
  ["which framework starts fastest", "/reference/comparison"],
  ["add mcp to an existing express app", "/guide/existing-project", "/reference/mounting"],
  ["how do I add a tool", "/guide/define-tools", "/getting-started"],
  ["how do I make an argument optional", "/guide/arguments", "/guide/define-tools"],
  ["how are arguments validated", "/guide/arguments"],
  ["can I use zod", "/guide/arguments", "/guide/from-sdk"],
  ["how to return an image", "/guide/files", "/guide/return-results"],
  ["how do I upload a file", "/guide/files"],
  ["how do I return an error to the model", "/guide/handle-errors"],
  ["how do I ask the user for confirmation", "/guide/elicitation"],
  ["call an llm from a tool", "/guide/sampling"],
  ["can I stream results", "/guide/progress"],
  ["how do I show a chart", "/guide/views"],
  ["how do I show a chart in claude", "/guide/views", "/guide/claude-and-chatgpt"],
  ["mcp apps ui widget", "/guide/views"],
  ["serve agent skills", "/guide/skills"],
  ["skill.md", "/guide/skills"],
  ["how to cancel a long running call", "/guide/progress", "/guide/tasks"],
  ["where do I put my api key and other secrets", "/guide/configuration"],
  [".env", "/guide/configuration"],
  ["connect to postgres", "/guide/database"],
  ["how do I inject a dependency", "/guide/dependencies"],
  ["why does console.log not show up", "/guide/logging"],
  ["how do I set a breakpoint in vs code", "/guide/debugging"],
  ["how to test my tools", "/guide/testing"],
  ["does the model pick the right tool", "/guide/evals"],
  ["evaluate tool selection", "/guide/evals"],
  ["record and replay a session", "/reference/recordings"],
  ["how do users log in", "/guide/authorization", "/guide/google-github-login"],
  ["login with google", "/guide/google-github-login"],
  ["call microsoft graph for the user", "/guide/other-apis"],
  ["token exchange on behalf of", "/guide/other-apis"],
  ["auth0", "/guide/identity-providers"],
  ["protect my server with an api key", "/guide/api-keys"],
  ["how do I get the current user", "/guide/authorization"],
  ["limit requests per user", "/guide/limits", "/reference/limits"],
  ["how to connect claude desktop", "/guide/connect-clients"],
  ["use my server in chatgpt", "/guide/claude-and-chatgpt"],
  ["my tool does not show up in claude", "/guide/troubleshooting"],
  ["output too large", "/guide/troubleshooting"],
  ["403 forbidden host not allowed", "/guide/troubleshooting", "/guide/reverse-proxy"],
  ["deploy to cloudflare workers", "/guide/workers"],
  ["deploy with docker", "/guide/docker"],
  ["deploy to fly.io", "/guide/deploy"],
  ["how to deploy to vercel", "/guide/vercel"],
  ["does it run on aws lambda", "/guide/aws-lambda"],
  ["nginx reverse proxy config", "/guide/reverse-proxy"],
  ["test with ngrok", "/guide/tunnels"],
  ["run several instances behind a load balancer", "/guide/multiple-processes", "/guide/reverse-proxy"],
  ["prometheus metrics", "/guide/observability", "/reference/logs-metrics-traces"],
  ["is it secure", "/guide/security"],
  ["how do I upgrade", "/guide/upgrading"],
  ["migrate from the official sdk", "/guide/from-sdk"],
  ["publish to npm", "/guide/package-and-publish"],
  ["submit to the chatgpt directory", "/guide/directories"],
];

interface SearchIndex {
  search(query: string, options: object): { id: string }[];
}
interface MiniSearch {
  loadJSON(json: string, options: object): SearchIndex;
}

/** The defaults of VitePress, which our options are merged into. */
const DEFAULT_OPTIONS = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };

/** Loads the index that the site searches, as its search box does. */
async function loadIndex(): Promise<SearchIndex> {
  const chunks = join(SITE, "assets/chunks");
  const file = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex")) ?? "";
  const { default: json } = (await import(pathToFileURL(join(chunks, file)).href)) as { default: string };
  const library = join(workspace, "packages/docs/node_modules/minisearch/dist/es/index.js");
  const { default: miniSearch } = (await import(pathToFileURL(library).href)) as { default: MiniSearch };
  const options = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  return miniSearch.loadJSON(json, { ...options, ...searchOptions.options });
}

describe("the search of the site", () => {
  let index: SearchIndex;
  beforeAll(async () => {
    index = await loadIndex();
  });

  test.each(QUESTIONS)("finds the right page for “%s” in the first three results", (question, ...pages) => {
    const results = index.search(question, { ...DEFAULT_OPTIONS, ...searchOptions.searchOptions });
    const found = results.slice(0, 3).map(({ id }) => id.split("#")[0]);
    expect(
      found.some((page) => pages.includes(page ?? "")),
      found.join(", "),
    ).toBe(true);
  });

  test("has keywords only for pages that exist", () => {
    const pages = new Set(groups().flatMap((group) => group.pages));
    expect(Object.keys(KEYWORDS).filter((path) => !pages.has(path))).toEqual([]);
  });
});

describe("the built site", () => {
  const all = groups().flatMap(({ pages }) => pages);
  const readHtml = (path: string): string =>
    readFileSync(join(SITE, (sitePath(path) ?? "").replace(/\.md$/, ".html")), "utf8");

  test("has a link on every page for editing its source", () => {
    const wrong = all.filter((path) => {
      if (path === LANDING_PAGE) return false;
      const link = `href="${REPOSITORY}/edit/main/packages/${path}"`;
      return !readHtml(path).includes(link) || !existsSync(join(workspace, "packages", path));
    });
    expect(wrong).toEqual([]);
  });

  test("includes each page as Markdown, and an llms.txt", () => {
    expect(readFileSync(join(SITE, "llms.txt"), "utf8")).toMatch(/^# Tenon\n/);
    const missing = all.filter((path) => !existsSync(join(SITE, sitePath(path) ?? "")));
    expect(missing).toEqual([]);
  });

  test("contains the images that its head references", () => {
    const html = readHtml(LANDING_PAGE);
    const pictures = [...html.matchAll(/(?:href|content)="(\/[\w-]+\.(?:svg|png))"/g)].map(
      ([, path = ""]) => path,
    );
    expect(pictures).toEqual(expect.arrayContaining(["/favicon.svg", "/social-card.png"]));
    expect(pictures.filter((path) => !existsSync(join(SITE, path)))).toEqual([]);
  });
});
