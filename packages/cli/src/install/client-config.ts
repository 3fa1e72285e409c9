import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** How the server of a project is reached: a program that a client starts, or an address. */
export type ServerAddress =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> }
  | { readonly url: string; readonly headers: Record<string, string> };

/** For one person, or for everybody who works in a folder. */
export type Scope = "user" | "project";

/** Where a client may keep its configuration. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for scope `project`, absolute. */
  readonly folder: string;
}

/** A program that servers can be installed in. */
export interface InstallableClient {
  /** As it is named on the command line. */
  readonly name: string;
  /** As people know it. */
  readonly label: string;
  readonly format: "json" | "toml" | "yaml";
  /** Under which its file lists servers. */
  readonly key: string;
  /** Its file; undefined where it has none of this scope. */
  file(scope: Scope, surroundings: Surroundings): string | undefined;
  /** What it wants to read of a server; undefined where it cannot reach one so. */
  entry(address: ServerAddress, name: string): object | undefined;
  /** It is started by clicking, and may not find `node` by its name. */
  readonly isGraphical?: boolean;
  /** What is to be done for it to take notice. */
  readonly afterwards: string;
}

/** Where this process runs. */
export function ownSurroundings(folder: string): Surroundings {
  return { platform: process.platform, home: homedir(), env: process.env, folder };
}

type Named = Record<string, unknown>;

/** As most clients have it; `urlKey` and `headersKey` are how they name an address and what is sent there. */
function commonEntry(urlKey: string, headersKey = "headers"): InstallableClient["entry"] {
  return (address) =>
    "url" in address
      ? { [urlKey]: address.url, ...unlessEmpty(headersKey, address.headers) }
      : programEntry(address);
}

/** Of clients that want to be told the transport. */
function typedEntry(program: string, remote: string): InstallableClient["entry"] {
  return (address, name) => ({
    type: "url" in address ? remote : program,
    ...commonEntry("url")(address, name),
  });
}

function programEntry({ command, args, env }: Exclude<ServerAddress, { url: string }>): Named {
  return { command, args, ...unlessEmpty("env", env) };
}

function unlessEmpty(key: string, values: Record<string, string>): Named {
  return Object.keys(values).length > 0 ? { [key]: values } : {};
}

/** Of applications, by the custom of each system. */
function settingsFolder({ platform, home, env }: Surroundings): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}

/** Of programs that keep to the custom of Linux on every system. */
function dotConfig({ home, env }: Surroundings): string {
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}

const RESTART = "Restart it to take notice.";
const NEXT_SESSION = "Sessions that are started from now on have it; /mcp shows it.";

export const INSTALLABLE_CLIENTS: readonly InstallableClient[] = [
  {
    name: "claude-code",
    label: "Claude Code",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, env, folder }) =>
      scope === "project"
        ? join(folder, ".mcp.json")
        : join(env["CLAUDE_CONFIG_DIR"] ?? home, ".claude.json"),
    entry: typedEntry("stdio", "http"),
    afterwards: NEXT_SESSION,
  },
  {
    name: "claude-desktop",
    label: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    file: (scope, surroundings) =>
      scope === "user"
        ? join(settingsFolder(surroundings), "Claude", "claude_desktop_config.json")
        : undefined,
    // It takes addresses in its settings alone, under Connectors.
    entry: (address) => ("url" in address ? undefined : programEntry(address)),
    isGraphical: true,
    afterwards: RESTART,
  },
  {
    name: "cursor",
    label: "Cursor",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".cursor", "mcp.json"),
    entry: commonEntry("url"),
    isGraphical: true,
    afterwards: "Switch it on in the settings, under MCP.",
  },
  {
    name: "vscode",
    label: "VS Code",
    format: "json",
    key: "servers",
    file: (scope, surroundings) =>
      scope === "project"
        ? join(surroundings.folder, ".vscode", "mcp.json")
        : join(settingsFolder(surroundings), "Code", "User", "mcp.json"),
    entry: typedEntry("stdio", "http"),
    isGraphical: true,
    afterwards: "The command `MCP: List Servers` starts it.",
  },
  {
    name: "windsurf",
    label: "Windsurf",
    format: "json",
    key: "mcpServers",
    file: (scope, { home }) =>
      scope === "user" ? join(home, ".codeium", "windsurf", "mcp_config.json") : undefined,
    entry: commonEntry("serverUrl"),
    isGraphical: true,
    afterwards: "Refresh the list of plugins in Cascade.",
  },
  {
    name: "gemini",
    label: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".gemini", "settings.json"),
    entry: commonEntry("httpUrl"),
    afterwards:
      "Sessions that are started from now on have it, in folders that Gemini trusts; /mcp shows it.",
  },
  {
    name: "codex",
    label: "Codex",
    format: "toml",
    key: "mcp_servers",
    file: (scope, { home, env, folder }) =>
      scope === "project"
        ? join(folder, ".codex", "config.toml")
        : join(env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    entry: commonEntry("url", "http_headers"),
    afterwards: NEXT_SESSION,
  },
  {
    name: "goose",
    label: "Goose",
    format: "yaml",
    key: "extensions",
    file: (scope, surroundings) => {
      if (scope === "project") return undefined;
      const isWindows = surroundings.platform === "win32";
      const folder = isWindows
        ? join(settingsFolder(surroundings), "Block")
        : join(surroundings.home, ".config");
      return join(folder, "goose", ...(isWindows ? ["config"] : []), "config.yaml");
    },
    entry: (address, name) =>
      "url" in address
        ? {
            name,
            type: "streamable_http",
            uri: address.url,
            ...unlessEmpty("headers", address.headers),
            enabled: true,
            timeout: 300,
          }
        : {
            name,
            type: "stdio",
            cmd: address.command,
            args: address.args,
            envs: address.env,
            enabled: true,
            timeout: 300,
          },
    afterwards: "Sessions that are started from now on have it.",
  },
  {
    name: "opencode",
    label: "opencode",
    format: "json",
    key: "mcp",
    file: (scope, surroundings) => {
      const folder = scope === "project" ? surroundings.folder : join(dotConfig(surroundings), "opencode");
      const commented = join(folder, "opencode.jsonc");
      return existsSync(commented) ? commented : join(folder, "opencode.json");
    },
    entry: (address) =>
      "url" in address
        ? { type: "remote", url: address.url, ...unlessEmpty("headers", address.headers), enabled: true }
        : {
            type: "local",
            command: [address.command, ...address.args],
            ...unlessEmpty("environment", address.env),
            enabled: true,
          },
    afterwards: "Sessions that are started from now on have it; `opencode mcp list` shows it.",
  },
  {
    name: "copilot",
    label: "GitHub Copilot CLI",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, env, folder }) =>
      scope === "project"
        ? join(folder, ".github", "mcp.json")
        : join(env["COPILOT_HOME"] ?? join(home, ".copilot"), "mcp-config.json"),
    entry: (address, name) => ({ ...typedEntry("local", "http")(address, name), tools: ["*"] }),
    afterwards: NEXT_SESSION,
  },
  {
    name: "qwen",
    label: "Qwen Code",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".qwen", "settings.json"),
    entry: commonEntry("httpUrl"),
    afterwards: NEXT_SESSION,
  },
  {
    name: "zed",
    label: "Zed",
    format: "json",
    key: "context_servers",
    file: (scope, surroundings) => {
      if (scope === "project") return join(surroundings.folder, ".zed", "settings.json");
      return surroundings.platform === "win32"
        ? join(settingsFolder(surroundings), "Zed", "settings.json")
        : join(dotConfig(surroundings), "zed", "settings.json");
    },
    entry: commonEntry("url"),
    isGraphical: true,
    afterwards: "The settings of the agent show it.",
  },
  {
    name: "lm-studio",
    label: "LM Studio",
    format: "json",
    key: "mcpServers",
    file: (scope, { home }) => (scope === "user" ? join(home, ".lmstudio", "mcp.json") : undefined),
    entry: commonEntry("url"),
    isGraphical: true,
    afterwards: "Switch it on in the sidebar, under Program.",
  },
];
