import { type Client, CLIENTS, toClientName, toUrlEntry } from "../../../data/clients/clients.js";
import { escapeHtml } from "./escape-html.js";

/** The folders with the settings of desktop applications. */
const SETTINGS = { Linux: "~/.config", macOS: "~/Library/Application Support", Windows: "%APPDATA%" };

/** The URL in a shell, without characters that have a meaning there. */
const PLAIN_URL = /^[\w:/.~@[\]-]+$/;

/**
 * Returns the instructions for each client.
 *
 * @param name the name of the server
 */
export function writeConnectSection(url: string, name: string): string {
  const serverName = toClientName(name) ?? "server";
  return CLIENTS.map(
    (client: Client) =>
      `<details><summary>${client.label}</summary><div>${writeInstructions(client, url, serverName)}</div></details>\n`,
  ).join("");
}

/**
 * Returns the HTML for text that visitors can copy.
 *
 * @param label the content of the text, for screen readers
 */
export function writeCopyable(text: string, label: string): string {
  return `<div class="copy"><pre><code>${escapeHtml(text)}</code></pre><button type="button" hidden aria-label="Copy ${escapeHtml(label)}">Copy</button></div>`;
}

function writeInstructions(client: Client, url: string, name: string): string {
  const { label, settingsSection, nextStep } = client;
  const entry = toUrlEntry(client, url, name);
  if (entry === undefined)
    return `<p>In its settings, add this URL under ${settingsSection}:</p>${writeCopyable(url, `the URL for ${label}`)}`;
  const command = PLAIN_URL.test(url)
    ? client.command?.replaceAll(/NAME|URL/g, (word) => (word === "URL" ? url : name))
    : undefined;
  const first =
    command === undefined
      ? "<p>Add"
      : `<p>Run this command:</p>${writeCopyable(command, `the command for ${label}`)}<p>Or add`;
  return `${first} this to ${writeFiles(client)}:</p>${writeCopyable(formatEntry(client, name, entry), `the configuration for ${label}`)}<p>${toCode(escapeHtml(nextStep))}</p>`;
}

/** Marks the parts of escaped text between backticks as code. */
function toCode(html: string): string {
  return html.replaceAll(/&#96;(.*?)&#96;/g, "<code>$1</code>");
}

/** Returns the paths of a client's configuration. */
function writeFiles({ userFile, windowsFile = userFile, projectFile }: Client): string {
  const write = (path: string, settings = ""): string =>
    `<code>${path.replace("{settings}", settings).replace("{config}", "~/.config")}</code>`;
  const isSame = userFile === windowsFile && !userFile.startsWith("{settings}");
  const own = isSame
    ? write(userFile)
    : Object.entries(SETTINGS)
        .map(([system, settings]) => {
          const path = system === "Windows" ? windowsFile.replaceAll("/", "\\") : userFile;
          return `${write(path, settings)} (${system})`;
        })
        .join(", ");
  return projectFile === undefined ? own : `${write(projectFile)} in a project, or to ${own}`;
}

/**
 * Formats a configuration with one server.
 *
 * @param entry the entry of the server, whose values are plain or lists
 */
function formatEntry({ format, key = "mcpServers" }: Client, name: string, entry: object): string {
  if (format === undefined) return JSON.stringify({ [key]: { [name]: entry } }, null, 2);
  // JSON strings and numbers have the same meaning in TOML and YAML.
  const members = Object.entries(entry).map(([member, value]) => [member, JSON.stringify(value)]);
  return format === "toml"
    ? `[${key}.${name}]${members.map(([member, value]) => `\n${member} = ${value}`).join("")}`
    : `${key}:\n  ${name}:${members.map(([member, value]) => `\n    ${member}: ${value}`).join("")}`;
}
