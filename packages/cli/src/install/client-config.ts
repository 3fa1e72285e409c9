import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  createCommonEntryFactory,
  type EntryFactory,
  omitIfEmpty,
  type VariableReference,
  toCodexEntry,
  toEnvReference,
  toProgramEntry,
  toShellReference,
  createTypedEntryFactory,
} from "./client-entry.js";
import { toPromptReference } from "./prompts.js";

/** The scope of a configuration: one user, or everyone who works in a folder. */
export type Scope = "user" | "project";

/** The machine and folder that determine the path of a configuration. */
export interface ConfigEnvironment {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for scope `project`, absolute. */
  readonly folder: string;
}

/** A client that servers can be added to. */
export interface InstallableClient {
  /** The name on the command line. */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  readonly format: "json" | "toml" | "yaml";
  /** The key of the list of servers in its configuration. */
  readonly key: string;
  /** Returns the path of its configuration, or undefined if it has none for this scope. */
  file(scope: Scope, environment: ConfigEnvironment): string | undefined;
  readonly entry: EntryFactory;
  /** Returns a reference to an environment variable of the client, if its configuration may contain such references. */
  readonly reference?: (value: VariableReference, server: string) => string;
  /** Whether it prompts for secrets. Then `reference` returns references to prompts. */
  readonly hasPrompts?: boolean;
  /** Whether it is a desktop application, which may not find `node` in its PATH. */
  readonly isGraphical?: boolean;
  /** The instruction for applying the change. */
  readonly afterwards: string;
}

/** Returns the environment of this process. */
export function getConfigEnvironment(folder: string): ConfigEnvironment {
  return { platform: process.platform, home: homedir(), env: process.env, folder };
}

/** Returns the settings folder of desktop applications. */
function getSettingsFolder({ platform, home, env }: ConfigEnvironment): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}

/** Returns the settings folder of programs that use `~/.config` on every system. */
function getDotConfigFolder({ home, env }: ConfigEnvironment): string {
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}

const RESTART = "Restart it to apply the change.";
const NEXT_SESSION = "Start a new session to use it; /mcp shows it.";

/** The clients that `tenon install` supports. */
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
    entry: createTypedEntryFactory("stdio", "http"),
    reference: toShellReference,
    afterwards: NEXT_SESSION,
  },
  {
    name: "claude-desktop",
    label: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    file: (scope, environment) =>
      scope === "user"
        ? join(getSettingsFolder(environment), "Claude", "claude_desktop_config.json")
        : undefined,
    // It accepts URLs only in its settings, under Connectors.
    entry: (address) => ("url" in address ? undefined : toProgramEntry(address)),
    isGraphical: true,
    afterwards: RESTART,
  },
  {
    name: "cursor",
    label: "Cursor",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".cursor", "mcp.json"),
    entry: createCommonEntryFactory("url"),
    isGraphical: true,
    reference: toEnvReference,
    afterwards: "Enable it in the settings, under MCP.",
  },
  {
    name: "vscode",
    label: "VS Code",
    format: "json",
    key: "servers",
    file: (scope, environment) =>
      scope === "project"
        ? join(environment.folder, ".vscode", "mcp.json")
        : join(getSettingsFolder(environment), "Code", "User", "mcp.json"),
    entry: createTypedEntryFactory("stdio", "http"),
    isGraphical: true,
    reference: toPromptReference,
    hasPrompts: true,
    afterwards: "Start it with the command `MCP: List Servers`.",
  },
  {
    name: "windsurf",
    label: "Windsurf",
    format: "json",
    key: "mcpServers",
    file: (scope, { home }) =>
      scope === "user" ? join(home, ".codeium", "windsurf", "mcp_config.json") : undefined,
    entry: createCommonEntryFactory("serverUrl"),
    isGraphical: true,
    reference: toEnvReference,
    afterwards: "Refresh the list of plugins in Cascade.",
  },
  {
    name: "gemini",
    label: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".gemini", "settings.json"),
    entry: createCommonEntryFactory("httpUrl"),
    reference: toShellReference,
    afterwards: "Start a new session in a trusted folder to use it; /mcp shows it.",
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
    entry: toCodexEntry,
    reference: toShellReference,
    afterwards: NEXT_SESSION,
  },
  {
    name: "goose",
    label: "Goose",
    format: "yaml",
    key: "extensions",
    file: (scope, environment) => {
      if (scope === "project") return undefined;
      const isWindows = environment.platform === "win32";
      const folder = isWindows
        ? join(getSettingsFolder(environment), "Block")
        : join(environment.home, ".config");
      return join(folder, "goose", ...(isWindows ? ["config"] : []), "config.yaml");
    },
    entry: (address, name) =>
      "url" in address
        ? {
            name,
            type: "streamable_http",
            uri: address.url,
            ...omitIfEmpty("headers", address.headers),
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
    afterwards: "Start a new session to use it.",
  },
  {
    name: "opencode",
    label: "opencode",
    format: "json",
    key: "mcp",
    file: (scope, environment) => {
      const folder =
        scope === "project" ? environment.folder : join(getDotConfigFolder(environment), "opencode");
      const commented = join(folder, "opencode.jsonc");
      return existsSync(commented) ? commented : join(folder, "opencode.json");
    },
    entry: (address) =>
      "url" in address
        ? { type: "remote", url: address.url, ...omitIfEmpty("headers", address.headers), enabled: true }
        : {
            type: "local",
            command: [address.command, ...address.args],
            ...omitIfEmpty("environment", address.env),
            enabled: true,
          },
    reference: ({ variable }) => `{env:${variable}}`,
    afterwards: "Start a new session to use it; `opencode mcp list` shows it.",
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
    entry: (address, name) => ({ ...createTypedEntryFactory("local", "http")(address, name), tools: ["*"] }),
    reference: toShellReference,
    afterwards: NEXT_SESSION,
  },
  {
    name: "qwen",
    label: "Qwen Code",
    format: "json",
    key: "mcpServers",
    file: (scope, { home, folder }) => join(scope === "project" ? folder : home, ".qwen", "settings.json"),
    entry: createCommonEntryFactory("httpUrl"),
    reference: toShellReference,
    afterwards: NEXT_SESSION,
  },
  {
    name: "zed",
    label: "Zed",
    format: "json",
    key: "context_servers",
    file: (scope, environment) => {
      if (scope === "project") return join(environment.folder, ".zed", "settings.json");
      return environment.platform === "win32"
        ? join(getSettingsFolder(environment), "Zed", "settings.json")
        : join(getDotConfigFolder(environment), "zed", "settings.json");
    },
    entry: createCommonEntryFactory("url"),
    isGraphical: true,
    afterwards: "Check it in the agent settings.",
  },
  {
    name: "lm-studio",
    label: "LM Studio",
    format: "json",
    key: "mcpServers",
    file: (scope, { home }) => (scope === "user" ? join(home, ".lmstudio", "mcp.json") : undefined),
    entry: createCommonEntryFactory("url"),
    isGraphical: true,
    afterwards: "Enable it in the sidebar, under Program.",
  },
];
