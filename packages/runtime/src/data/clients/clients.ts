/**
 * Programs that connect to MCP servers, with the place and the form of a server in the configuration of each. This is the
 * only list of them: `tenon install` writes these configurations, and the page of a server explains them.
 * @module
 */

/** The folders of a user. `/` separates the parts of paths on every system. */
export interface UserFolders {
  /** The system, as Node names it, such as `win32`. */
  readonly platform: string;
  readonly home: string;
  /** The settings of desktop applications. */
  readonly settings: string;
  /** The settings of programs that use `~/.config` on every system. */
  readonly config: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program that connects to servers. */
export interface Client {
  /** The name on the command line of `tenon install`. */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  readonly format: "json" | "toml" | "yaml";
  /** The key of the list of servers in its configuration. */
  readonly key: string;
  /** Returns the path of the user's configuration. */
  userFile(folders: UserFolders): string;
  /** The path of the configuration of a project, relative to its folder. Absent if there is none. */
  readonly projectFile?: string;
  /** Whether a file with comments, whose name ends in `.jsonc`, takes precedence. */
  readonly hasCommentedFile?: true;
  /** Returns the entry of a server with a URL. Absent if the configuration cannot contain URLs. */
  toUrlEntry?(url: string, name: string): object;
  /** The section of its settings where a user adds a URL, if its configuration cannot contain URLs. */
  readonly settingsSection?: string | undefined;
  /** Returns the client's own command that adds a server with a URL. Absent if there is none. */
  toCommand?(url: string, name: string): string;
  /** The instruction for applying the change. */
  readonly afterwards: string;
}

const RESTART = "Restart it to apply the change.";
const NEXT_SESSION = "Start a new session to use it; /mcp shows it.";

/** Returns the typed entry of a URL, as the specification of `.mcp.json` has it. */
const toTypedEntry = (url: string): object => ({ type: "http", url });

/** Returns the function that creates the command of a client with the same syntax as Claude Code. */
const addCommand =
  (program: string) =>
  (url: string, name: string): string =>
    `${program} mcp add --transport http ${name} ${url}`;

/** The known clients. */
export const CLIENTS = [
  {
    name: "claude-code",
    label: "Claude Code",
    format: "json",
    key: "mcpServers",
    userFile: ({ home, env }) => `${env["CLAUDE_CONFIG_DIR"] ?? home}/.claude.json`,
    projectFile: ".mcp.json",
    toUrlEntry: toTypedEntry,
    toCommand: addCommand("claude"),
    afterwards: NEXT_SESSION,
  },
  {
    name: "claude-desktop",
    label: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    userFile: ({ settings }) => `${settings}/Claude/claude_desktop_config.json`,
    settingsSection: "Connectors",
    afterwards: RESTART,
  },
  {
    name: "cursor",
    label: "Cursor",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => `${home}/.cursor/mcp.json`,
    projectFile: ".cursor/mcp.json",
    toUrlEntry: (url) => ({ url }),
    afterwards: "Enable it in the settings, under MCP.",
  },
  {
    name: "vscode",
    label: "VS Code",
    format: "json",
    key: "servers",
    userFile: ({ settings }) => `${settings}/Code/User/mcp.json`,
    projectFile: ".vscode/mcp.json",
    toUrlEntry: toTypedEntry,
    afterwards: "Start it with the command `MCP: List Servers`.",
  },
  {
    name: "windsurf",
    label: "Windsurf",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => `${home}/.codeium/windsurf/mcp_config.json`,
    toUrlEntry: (url) => ({ serverUrl: url }),
    afterwards: "Refresh the list of plugins in Cascade.",
  },
  {
    name: "gemini",
    label: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => `${home}/.gemini/settings.json`,
    projectFile: ".gemini/settings.json",
    toUrlEntry: (url) => ({ httpUrl: url }),
    toCommand: addCommand("gemini"),
    afterwards: "Start a new session in a trusted folder to use it; /mcp shows it.",
  },
  {
    name: "codex",
    label: "Codex",
    format: "toml",
    key: "mcp_servers",
    userFile: ({ home, env }) => `${env["CODEX_HOME"] ?? `${home}/.codex`}/config.toml`,
    projectFile: ".codex/config.toml",
    toUrlEntry: (url) => ({ url }),
    toCommand: (url, name) => `codex mcp add ${name} --url ${url}`,
    afterwards: NEXT_SESSION,
  },
  {
    name: "goose",
    label: "Goose",
    format: "yaml",
    key: "extensions",
    userFile: ({ platform, home, settings }) =>
      platform === "win32"
        ? `${settings}/Block/goose/config/config.yaml`
        : `${home}/.config/goose/config.yaml`,
    toUrlEntry: (url, name) => ({ name, type: "streamable_http", uri: url, enabled: true, timeout: 300 }),
    afterwards: "Start a new session to use it.",
  },
  {
    name: "opencode",
    label: "opencode",
    format: "json",
    key: "mcp",
    userFile: ({ config }) => `${config}/opencode/opencode.json`,
    projectFile: "opencode.json",
    hasCommentedFile: true,
    toUrlEntry: (url) => ({ type: "remote", url, enabled: true }),
    afterwards: "Start a new session to use it; `opencode mcp list` shows it.",
  },
  {
    name: "copilot",
    label: "GitHub Copilot CLI",
    format: "json",
    key: "mcpServers",
    userFile: ({ home, env }) => `${env["COPILOT_HOME"] ?? `${home}/.copilot`}/mcp-config.json`,
    projectFile: ".github/mcp.json",
    toUrlEntry: (url) => ({ ...toTypedEntry(url), tools: ["*"] }),
    afterwards: NEXT_SESSION,
  },
  {
    name: "qwen",
    label: "Qwen Code",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => `${home}/.qwen/settings.json`,
    projectFile: ".qwen/settings.json",
    toUrlEntry: (url) => ({ httpUrl: url }),
    toCommand: addCommand("qwen"),
    afterwards: NEXT_SESSION,
  },
  {
    name: "zed",
    label: "Zed",
    format: "json",
    key: "context_servers",
    userFile: ({ platform, settings, config }) =>
      platform === "win32" ? `${settings}/Zed/settings.json` : `${config}/zed/settings.json`,
    projectFile: ".zed/settings.json",
    toUrlEntry: (url) => ({ url }),
    afterwards: "Check it in the agent settings.",
  },
  {
    name: "lm-studio",
    label: "LM Studio",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => `${home}/.lmstudio/mcp.json`,
    toUrlEntry: (url) => ({ url }),
    afterwards: "Enable it in the sidebar, under Program.",
  },
] as const satisfies readonly Client[];

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
