import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildProject } from "../project/build-project.js";
import { isBuildFresh } from "../project/built-files.js";
import { findProjectRoot } from "../project/project-root.js";
import { toPrintable } from "../terminal/printable.js";
import { Failure } from "../terminal/failure.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { wrap } from "../terminal/text-format.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";
import { type InstallOptions, splitArguments } from "./install-arguments.js";
import { inspectServer } from "./inspect-server.js";
import {
  INSTALLABLE_CLIENTS,
  type InstallableClient,
  getConfigEnvironment,
  type Scope,
} from "./client-config.js";
import type { ServerAddress } from "./client-entry.js";
import { readConfig, replaceConfig } from "./config-file.js";
import type { ConfigChange } from "./config-settings.js";
import { changeConfig, findServer } from "./config-text.js";
import { isSameServer, runsScriptIn, updateEntry } from "./update-entry.js";
import { toProgramAddress } from "./program-address.js";
import { createPrompt } from "./prompts.js";
import {
  checkPublic,
  formatReferences,
  parseHeader,
  parseVariable,
  parseValues,
  referToSecrets,
  type ServerValue,
  toEnvironment,
} from "./secret-values.js";
import { readServerName, requireClientName } from "./server-name.js";

/**
 * Runs `tenon install [client] [dir]`: adds the project's server, or the one that the command after `--` starts, to the
 * configuration of a client. Without a client, prints the entry.
 *
 * @returns the exit code
 */
export async function install(
  terminal: Terminal,
  args: readonly string[],
  argsAfterDashes: number,
  options: InstallOptions,
): Promise<number> {
  const { clientName, folder, command } = splitArguments(args, argsAfterDashes, options);
  const root = findProjectRoot(folder, terminal.cwd);
  const client = clientName === undefined ? undefined : findClient(clientName);
  const variables = parseValues("--env", options.env, parseVariable);
  const isRemoved = client !== undefined && options.remove === true;
  if (client !== undefined && !isRemoved)
    checkPublic(options.url === undefined ? command : [options.url], options.scope);
  const inspected =
    command.length === 0 || (isRemoved && options.name !== undefined)
      ? undefined
      : await inspectServer(terminal, command, { cwd: root, env: toEnvironment(variables) });
  const getName = (): string =>
    options.name ?? (inspected ? requireClientName(inspected.name) : readServerName(root));
  const nameBefore = getName();
  const isOtherServer = options.url !== undefined || command.length > 0;
  const isOwn = (existing: unknown, entry: object | undefined): boolean =>
    (entry !== undefined && isSameServer(existing, entry)) ||
    // An entry for the project's program may be replaced with its URL, but is not what --remove --url names.
    (command.length === 0 && !(isRemoved && isOtherServer) && runsScriptIn(existing, root));
  if (isRemoved) {
    const destination = { folder: root, scope: options.scope, client, env: {} };
    const address =
      command.length > 0 ? toProgramAddress(command, destination) : toAddress(root, client, {}, options);
    const removal: Removal = {
      mayRemove: (existing) =>
        options.name !== undefined || isOwn(existing, client.entry(address, nameBefore)),
      difference: isOtherServer
        ? `has another ${options.url === undefined ? "command" : "URL"}`
        : "does not start a program of this project",
    };
    return remove(terminal, client, root, nameBefore, removal, options);
  }
  if (!isOtherServer && !(await ensureBuilt(terminal, root))) return 1;
  const name = getName();
  const headers = parseValues("--header", options.header, (each) => parseHeader(each, name));
  const destination = { client, scope: options.scope, server: name };
  const given = referToSecrets(options.url === undefined ? variables : headers, destination);
  const address =
    command.length > 0
      ? toProgramAddress(command, { folder: root, scope: options.scope, client, env: given.values })
      : toAddress(root, client, given.values, options);
  if (client === undefined) {
    const entry = INSTALLABLE_CLIENTS[0]?.entry(address, name);
    terminal.out.write(`${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`);
    const names = INSTALLABLE_CLIENTS.map((each) => each.name).join(", ");
    const suffix = command.length > 0 ? " -- …" : "";
    terminal.err.write(
      `\nMost clients accept this entry. To add it to a client, run \`tenon install <client>${suffix}\`. Clients: ${names}.\n`,
    );
    return 0;
  }
  const entry = client.entry(address, name);
  if (entry === undefined) {
    throw new Failure(`${client.label} accepts URLs only in its settings.`, {
      hint: `Add ${options.url} there, under ${client.settingsSection}.`,
    });
  }
  const file = getConfigFile(client, root, options.scope);
  return write(terminal, client, file, {
    name,
    newEntry: entry,
    options,
    isOwn: (existing) => isOwn(existing, entry),
    about: inspected?.about,
    referred: given.referred,
  });
}

interface Installation {
  name: string;
  /** The entry for a new server. */
  newEntry: object;
  options: InstallOptions;
  /** Returns whether an entry belongs to this server and may be replaced without --force. */
  isOwn: (existing: unknown) => boolean;
  /** The description of a server that is not the project's. */
  about: string | undefined;
  /** The values that the entry refers to. */
  referred: readonly ServerValue[];
}

function write(
  { out }: Terminal,
  client: InstallableClient,
  file: string,
  { name, newEntry, options, isOwn, about, referred }: Installation,
): number {
  const before = readConfig(file);
  const existing = findServer(
    { format: client.format, file, text: before },
    { key: client.key, server: name },
  );
  const { entry, keptSettings } =
    options.force === true ? { entry: newEntry, keptSettings: [] } : updateEntry(existing, newEntry);
  if (isDeepStrictEqual(existing, entry)) {
    out.write(`${client.label} already has ${name}. Nothing changed in ${file}.\n`);
    return 0;
  }
  if (existing !== undefined && options.force !== true && !isOwn(existing)) {
    throw new Failure(`${client.label} has another server named ${name} in ${file}.`, {
      hint: "Choose another name with --name, or replace it with --force.",
    });
  }
  const text = changeConfig(
    { format: client.format, file, text: before },
    { key: client.key, server: name, entry, prompts: toPrompts(client, name, referred) },
  );
  if (options.print === true) {
    out.write(`# ${file}\n${text}`);
    return 0;
  }
  const backup = replaceConfig(file, text, { before, hasBackup: options.scope === "user" });
  const { paint } = out;
  out.write(`${paint.green("✓")} Added ${paint.bold(name)} to ${client.label}.\n`);
  if (about !== undefined) out.write(`  ${about}\n`);
  if (referred.length > 0) out.write(`  ${formatReferences(client, referred)}\n`);
  if (keptSettings.length > 0) {
    const lines = wrap(`kept your settings: ${keptSettings.map(toPrintable).join(", ")}`, out.columns - 2);
    out.write(lines.map((line) => `  ${line}\n`).join(""));
  }
  out.write(paint.dim(`  ${file}${backup === undefined ? "" : `\n  backup: ${backup}`}`) + "\n");
  out.write(`Next: ${client.nextStep}\n`);
  return 0;
}

interface Removal {
  /** Returns whether an entry belongs to this server, or the user named it. */
  mayRemove: (existing: unknown) => boolean;
  /** The end of the error message for an entry that may not be removed: how it differs. */
  difference: string;
}

function remove(
  { out }: Terminal,
  client: InstallableClient,
  root: string,
  name: string,
  { mayRemove, difference }: Removal,
  { scope, print }: InstallOptions,
): number {
  const file = getConfigFile(client, root, scope);
  const before = readConfig(file);
  const existing = findServer(
    { format: client.format, file, text: before },
    { key: client.key, server: name },
  );
  if (existing !== undefined && !mayRemove(existing))
    throw new Failure(`The server ${name} of ${client.label} ${difference}.`, {
      hint: `To remove it anyway, name it: --name ${name}.`,
    });
  if (existing === undefined) {
    out.write(`${client.label} has no server ${name}. Nothing changed in ${file}.\n`);
    return 0;
  }
  const text = changeConfig(
    { format: client.format, file, text: before },
    { key: client.key, server: name, entry: undefined, prompts: toPrompts(client, name, []) },
  );
  if (print === true) out.write(`# ${file}\n${text}`);
  else {
    const backup = replaceConfig(file, text, { before, hasBackup: scope === "user" });
    out.write(`${out.paint.green("✓")} Removed ${name} from ${client.label}.\n`);
    if (backup !== undefined) out.write(`${out.paint.dim(`  backup: ${backup}`)}\n`);
  }
  return 0;
}

function findClient(text: string): InstallableClient {
  const names = INSTALLABLE_CLIENTS.map(({ name }) => name);
  const found = INSTALLABLE_CLIENTS.find(({ name }) => name === text.toLowerCase());
  if (found === undefined) throw createUnknownNameFailure("client", text, names, { exitCode: 2 });
  return found;
}

function getConfigFile(client: InstallableClient, folder: string, scope: Scope): string {
  const file = client.file(scope, getConfigEnvironment(folder));
  if (file !== undefined) return file;
  throw new Failure(`${client.label} has no per-project configuration.`, {
    hint: "Omit --scope project.",
    exitCode: 2,
  });
}

/** Builds the project if its sources have changed since the last build. Returns false if it has errors. */
async function ensureBuilt(terminal: Terminal, root: string): Promise<boolean> {
  const { err } = terminal;
  const outDir = join(root, "dist");
  const hasSources = existsSync(join(root, "src"));
  const isStale = hasSources && isBuildFresh(root, outDir) === false;
  if (existsSync(join(outDir, "server.js")) && !isStale) return true;
  if (isStale) err.write(err.paint.dim("The sources have changed since the last build. Building…\n"));
  const { compilation, files } = await buildProject({ root, color: err.color });
  printDiagnostics(err, compilation.diagnostics);
  return files !== undefined && !hasErrors(compilation.diagnostics);
}

function toAddress(
  root: string,
  client: InstallableClient | undefined,
  values: Record<string, string>,
  { scope, url }: InstallOptions,
): ServerAddress {
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      const message = `--url requires a URL, such as https://mcp.example.com/mcp (got \`${url}\`).`;
      throw new Failure(message, { exitCode: 2 });
    }
    return { url, headers: values };
  }
  // A shared configuration needs paths that work on every machine; a user's own needs absolute paths.
  const isShared = scope === "project";
  const canFindNode = isShared || client?.isGraphical !== true;
  const script = client?.name === "vscode" ? "${workspaceFolder}/dist/server.js" : "dist/server.js";
  return {
    command: canFindNode ? "node" : process.execPath,
    args: [isShared ? script : join(root, "dist", "server.js")],
    env: values,
  };
}

function toPrompts(
  { hasPrompts }: InstallableClient,
  server: string,
  referred: readonly ServerValue[],
): ConfigChange["prompts"] {
  if (hasPrompts !== true) return undefined;
  return { key: "inputs", added: referred.map((each) => createPrompt(each, server)) };
}
