/**
 * Programs that connect to MCP servers: where each stores its configuration, and how it represents a server there. This
 * is the only list of these programs: `tenon install` writes the configurations, and the page of a server explains
 * them.
 * @module
 */

/** A program that connects to servers. */
export interface Client {
  /** The name on the command line of `tenon install`. */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  /** The format of its configuration. Default: `json`. */
  readonly format?: "json" | "toml" | "yaml";
  /** The key of the list of servers in its configuration. Default: `mcpServers`. */
  readonly key?: string;
  /**
   * The path of the user's configuration. It begins with `~` for the home folder, `{settings}` for the settings of desktop
   * applications, or `{config}` for those of programs that use `~/.config` on every system.
   */
  readonly userFile: string;
  /** The path on Windows, if it differs. */
  readonly windowsFile?: string;
  /** The path of the configuration of a project, relative to its folder. Absent if there is none. */
  readonly projectFile?: string;
  /** Creates the entry for a server with a URL. Default: `{ url }`. */
  toUrlEntry?(url: string, name: string): object;
  /** The section of its settings where a user adds a URL. Absent if the configuration may contain URLs. */
  readonly settingsSection?: string;
  /** The client's own command that adds a server, with `NAME` and `URL` for the name and the URL. Absent if there is none. */
  readonly command?: string;
  /** The instruction for applying the change. */
  readonly nextStep: string;
}

const NEXT_SESSION = "Start a new session to use it; /mcp shows it.";

/** Creates the entry for a URL with the type of the transport. */
const toTypedEntry = (url: string): object => ({ type: "http", url });

/** Creates the entry for a URL in clients that derive from Gemini CLI, where `url` is for another transport. */
const toHttpUrlEntry = (httpUrl: string): object => ({ httpUrl });

/** The known clients. */
export const CLIENTS = [
  {
    name: "claude-code",
    label: "Claude Code",
    userFile: "~/.claude.json",
    projectFile: ".mcp.json",
    toUrlEntry: toTypedEntry,
    command: "claude mcp add --transport http NAME URL",
    nextStep: NEXT_SESSION,
  },
  {
    name: "claude-desktop",
    label: "Claude Desktop",
    userFile: "{settings}/Claude/claude_desktop_config.json",
    settingsSection: "Connectors",
    nextStep: "Restart it to apply the change.",
  },
  {
    name: "cursor",
    label: "Cursor",
    userFile: "~/.cursor/mcp.json",
    projectFile: ".cursor/mcp.json",
    nextStep: "Enable it in the settings, under MCP.",
  },
  {
    name: "vscode",
    label: "VS Code",
    key: "servers",
    userFile: "{settings}/Code/User/mcp.json",
    projectFile: ".vscode/mcp.json",
    toUrlEntry: toTypedEntry,
    nextStep: "Start it with the command `MCP: List Servers`.",
  },
  {
    name: "windsurf",
    label: "Windsurf",
    userFile: "~/.codeium/windsurf/mcp_config.json",
    toUrlEntry: (serverUrl) => ({ serverUrl }),
    nextStep: "Refresh the list of plugins in Cascade.",
  },
  {
    name: "gemini",
    label: "Gemini CLI",
    userFile: "~/.gemini/settings.json",
    projectFile: ".gemini/settings.json",
    toUrlEntry: toHttpUrlEntry,
    command: "gemini mcp add --transport http NAME URL",
    nextStep: "Start a new session in a trusted folder to use it; /mcp shows it.",
  },
  {
    name: "codex",
    label: "Codex",
    format: "toml",
    key: "mcp_servers",
    userFile: "~/.codex/config.toml",
    projectFile: ".codex/config.toml",
    command: "codex mcp add NAME --url URL",
    nextStep: NEXT_SESSION,
  },
  {
    name: "goose",
    label: "Goose",
    format: "yaml",
    key: "extensions",
    userFile: "~/.config/goose/config.yaml",
    windowsFile: "{settings}/Block/goose/config/config.yaml",
    toUrlEntry: (uri, name) => ({ name, type: "streamable_http", uri, enabled: true, timeout: 300 }),
    nextStep: "Start a new session to use it.",
  },
  {
    name: "opencode",
    label: "opencode",
    key: "mcp",
    userFile: "{config}/opencode/opencode.json",
    projectFile: "opencode.json",
    toUrlEntry: (url) => ({ type: "remote", url, enabled: true }),
    nextStep: "Start a new session to use it; `opencode mcp list` shows it.",
  },
  {
    name: "copilot",
    label: "GitHub Copilot CLI",
    userFile: "~/.copilot/mcp-config.json",
    projectFile: ".github/mcp.json",
    toUrlEntry: (url) => ({ ...toTypedEntry(url), tools: ["*"] }),
    nextStep: NEXT_SESSION,
  },
  {
    name: "qwen",
    label: "Qwen Code",
    userFile: "~/.qwen/settings.json",
    projectFile: ".qwen/settings.json",
    toUrlEntry: toHttpUrlEntry,
    command: "qwen mcp add --transport http NAME URL",
    nextStep: NEXT_SESSION,
  },
  {
    name: "zed",
    label: "Zed",
    key: "context_servers",
    userFile: "{config}/zed/settings.json",
    windowsFile: "{settings}/Zed/settings.json",
    projectFile: ".zed/settings.json",
    nextStep: "Check it in the agent settings.",
  },
  {
    name: "lm-studio",
    label: "LM Studio",
    userFile: "~/.lmstudio/mcp.json",
    nextStep: "Enable it in the sidebar, under Program.",
  },
] as const satisfies readonly Client[];

/** Creates the entry for a server with a URL. Returns undefined if the client's configuration cannot contain URLs. */
export function toUrlEntry(client: Client, url: string, name: string): object | undefined {
  if (client.settingsSection !== undefined) return undefined;
  return client.toUrlEntry?.(url, name) ?? { url };
}

/** The name of a known client. */
export type ClientName = (typeof CLIENTS)[number]["name"];

/**
 * Converts the name of a server to letters, digits, hyphens, and underscores, which all clients accept.
 *
 * @returns undefined if nothing is left
 * @example
 * toClientName("@ada/weather") // "ada-weather"
 */
export function toClientName(name: string): string | undefined {
  // Commands would read a hyphen at the beginning as an option.
  const accepted = name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return accepted === "" ? undefined : accepted;
}
