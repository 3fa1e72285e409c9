/**
 * The text of the page for browsers. It imports no module that other parts of a server load, so that the bundler puts it
 * into one file, which is loaded for the first visitor.
 * @module
 */
import type { Implementation, Tool } from "../../../protocol/specification.js";
import { SCRIPT, STYLE } from "./assets.js";
import { writeConnectSection, writeCopyable } from "./connect-section.js";
import { escapeHtml } from "./escape-html.js";

/** The content of the page. Names and descriptions may contain any characters. */
export interface PageContent {
  readonly info: Implementation;
  /** The URL at which clients connect. */
  readonly url: string;
  /** Whether the URL is configured. Otherwise, the page replaces it with the one that the browser opened. */
  readonly isConfigured: boolean;
  /** How callers log in: on a page that their client opens, or with other credentials. Absent if no login is required. */
  readonly login: "page" | "credentials" | undefined;
  /** The tools that a caller without a login may see. */
  readonly tools: readonly Tool[];
  /** Removes invisible characters, such as those that change the direction of text. */
  sanitize(text: string): string;
}

/** A rendered page. */
export interface Page {
  /** HTML. */
  readonly text: string;
  /** The entity tag of the text. */
  readonly tag: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
}

const LOGIN = {
  page: "The server requires a login. Your program opens a page for it.",
  credentials:
    "The server requires credentials, which its owner gives you. Add them to the configuration as a header.",
};

/** Renders the page, whose only script and style are its own. */
export async function renderPage(content: PageContent): Promise<Page> {
  const text = writePage(content);
  const [page, style, script] = await Promise.all([text, STYLE, SCRIPT].map(hash));
  return {
    text,
    tag: `"${page}"`,
    policy:
      `default-src 'none'; style-src 'sha256-${style}'; script-src 'sha256-${script}'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
}

function writePage({ info, url, isConfigured, login, tools, sanitize }: PageContent): string {
  const clean = (text: string): string => escapeHtml(sanitize(text));
  const { name, title = name, version, description, websiteUrl } = info;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${clean(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main${isConfigured ? "" : ` data-url="${escapeHtml(url)}"`}>
<h1 dir="auto">${clean(title)}</h1>
<p class="soft">MCP server <bdi>${clean(`${name} ${version}`)}</bdi></p>
${description === undefined ? "" : `<p class="text" dir="auto">${clean(description)}</p>\n`}${websiteUrl === undefined ? "" : `<p><a href="${escapeHtml(websiteUrl)}" rel="noreferrer">${clean(websiteUrl)}</a></p>\n`}<h2>Connect</h2>
<p>Programs such as Claude, Cursor, and VS Code can use this server at this URL:</p>
${writeCopyable(url, "the URL")}
${login === undefined ? "" : `<p>${LOGIN[login]}</p>\n`}<p>Choose your program:</p>
${writeConnectSection(url, name)}${tools.length === 0 ? "" : `<h2>Tools</h2>\n<dl>\n${tools.map((tool) => writeTool(tool, clean)).join("")}</dl>\n`}<p role="status"></p>
</main><script>${SCRIPT}</script></body></html>
`;
}

function writeTool({ name, title, annotations, description }: Tool, clean: (text: string) => string): string {
  const display = title ?? annotations?.title;
  const label = display === undefined || display === name ? "" : ` <bdi>${clean(display)}</bdi>`;
  const about = description === undefined ? "" : clean(description);
  return `<dt><code>${clean(name)}</code>${label}</dt><dd class="text" dir="auto">${about}</dd>\n`;
}

/** Returns the SHA-256 of text, as base64. */
async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
