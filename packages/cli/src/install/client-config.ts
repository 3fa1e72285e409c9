import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, normalize } from "node:path";
import { type Client, type ClientName, CLIENTS } from "@tenon/runtime/clients";
import {
  createEntryFactory,
  type EntryFactory,
  type EntryOptions,
  omitIfEmpty,
  toCodexHeaders,
  toCodexProgram,
  toEnvReference,
  toShellReference,
  toTypedProgram,
  type VariableReference,
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

/** The parts of a configuration that matter only on the machine of the client. */
interface LocalOptions extends EntryOptions {
  /** Returns a reference to an environment variable of the client, if its configuration may contain such references. */
  readonly reference?: (value: VariableReference, server: string) => string;
  /** Whether it prompts for secrets. Then `reference` returns references to prompts. */
  readonly hasPrompts?: boolean;
  /** Whether it is a desktop application, which may not find `node` in its PATH. */
  readonly isGraphical?: boolean;
  /** The environment variable that names another folder for its configuration, and the folder that this one replaces. */
  readonly folderVariable?: readonly [variable: string, folder: string];
  /** Whether a file with comments, whose name ends in `.jsonc`, takes precedence. */
  readonly hasCommentedFile?: boolean;
}

/** A client that servers can be added to. */
export interface InstallableClient
  extends
    Pick<Client, "name" | "label" | "nextStep">,
    Pick<LocalOptions, "reference" | "hasPrompts" | "isGraphical"> {
  readonly format: "json" | "toml" | "yaml";
  /** The key of the list of servers in its configuration. */
  readonly key: string;
  /** The section of its settings where a user adds a URL, if its configuration cannot contain URLs. */
  readonly settingsSection: string | undefined;
  /** Returns the path of its configuration, or undefined if it has none for this scope. */
  file(scope: Scope, environment: ConfigEnvironment): string | undefined;
  readonly entry: EntryFactory;
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

/** The options of each client in `CLIENTS`. */
const LOCAL_OPTIONS: Readonly<Record<ClientName, LocalOptions>> = {
  "claude-code": {
    toProgram: toTypedProgram("stdio"),
    reference: toShellReference,
    folderVariable: ["CLAUDE_CONFIG_DIR", "~"],
  },
  "claude-desktop": { isGraphical: true },
  cursor: { isGraphical: true, reference: toEnvReference },
  vscode: {
    toProgram: toTypedProgram("stdio"),
    isGraphical: true,
    reference: toPromptReference,
    hasPrompts: true,
  },
  windsurf: { isGraphical: true, reference: toEnvReference },
  gemini: { reference: toShellReference },
  codex: {
    toProgram: toCodexProgram,
    toHeaders: toCodexHeaders,
    reference: toShellReference,
    folderVariable: ["CODEX_HOME", "~/.codex"],
  },
  goose: {
    toProgram: ({ command, args, env }, name) => ({
      name,
      type: "stdio",
      cmd: command,
      args,
      envs: env,
      enabled: true,
      timeout: 300,
    }),
  },
  opencode: {
    toProgram: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      ...omitIfEmpty("environment", env),
      enabled: true,
    }),
    reference: ({ variable }) => `{env:${variable}}`,
    hasCommentedFile: true,
  },
  copilot: {
    toProgram: (address) => ({ ...toTypedProgram("local")(address), tools: ["*"] }),
    reference: toShellReference,
    folderVariable: ["COPILOT_HOME", "~/.copilot"],
  },
  qwen: { reference: toShellReference },
  zed: { isGraphical: true },
  "lm-studio": { isGraphical: true },
};

/** The clients that `tenon install` supports. */
export const INSTALLABLE_CLIENTS: readonly InstallableClient[] = CLIENTS.map((client) =>
  toInstallable(client, LOCAL_OPTIONS[client.name]),
);

function toInstallable(client: Client, options: LocalOptions): InstallableClient {
  const { name, label, format = "json", key = "mcpServers", settingsSection, nextStep } = client;
  const { toProgram, toHeaders, folderVariable: _folder, hasCommentedFile: _commented, ...local } = options;
  return {
    name,
    label,
    format,
    key,
    settingsSection,
    nextStep,
    ...local,
    file: (scope, environment) => findFile(client, options, scope, environment),
    entry: createEntryFactory(client, { toProgram, toHeaders }),
  };
}

/** Returns the path of a client's configuration, or undefined if it has none for this scope. */
function findFile(
  { projectFile, userFile, windowsFile = userFile }: Client,
  { folderVariable, hasCommentedFile }: LocalOptions,
  scope: Scope,
  environment: ConfigEnvironment,
): string | undefined {
  const { platform, home, env, folder } = environment;
  if (scope === "project" && projectFile === undefined) return undefined;
  const [variable = "", replaced = ""] = folderVariable ?? [];
  const userFolder = env[variable];
  const path = platform === "win32" ? windowsFile : userFile;
  const file =
    scope === "project"
      ? join(folder, projectFile ?? "")
      : userFolder === undefined
        ? normalize(
            path
              .replace(/^~/, () => home)
              .replace(/^\{settings\}/, () => getSettingsFolder(environment))
              .replace(/^\{config\}/, () => getDotConfigFolder(environment)),
          )
        : join(userFolder, path.slice(replaced.length));
  const commented = `${file}c`;
  return hasCommentedFile === true && existsSync(commented) ? commented : file;
}
