import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildProject } from "../project/build-project.js";
import { isBuildFresh } from "../project/built-files.js";
import { isInside } from "../files/is-inside.js";
import { projectRoot } from "../project/project-root.js";
import { printable } from "../remote/printable.js";
import { Failure } from "../terminal/failure.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { wrap } from "../terminal/text-format.js";
import { unknownName } from "../terminal/unknown-name.js";
import { askServer } from "./ask-server.js";
import {
  INSTALLABLE_CLIENTS,
  type InstallableClient,
  ownSurroundings,
  type Scope,
  type ServerAddress,
} from "./client-config.js";
import { readConfig, replaceConfig } from "./config-file.js";
import { changedConfig, configured } from "./config-text.js";
import { reachesSame, updatedEntry } from "./kept-settings.js";
import { programAddress } from "./program-address.js";
import { clientsName, serverName } from "./server-name.js";

export interface InstallOptions {
  /** Under which clients know the server. */
  name?: string;
  scope: Scope;
  /** `NAME=value`, for the server's environment. */
  env?: readonly string[];
  /** Where the server is reached, when clients do not start it. */
  url?: string;
  /** `Name: value`, sent to the URL. */
  header?: readonly string[];
  remove?: boolean;
  /** Only shows what would be written. */
  print?: boolean;
  /** Replaces another server of the same name, and what somebody has set of this one. */
  force?: boolean;
}

/**
 * `tenon install [client] [dir]`: has a client start the project's server, or the one behind `--`, or prints what to tell a
 * client.
 */
export async function install(
  terminal: Terminal,
  words: readonly string[],
  behindDashes: number,
  options: InstallOptions,
): Promise<number> {
  const { clientName, folder, command } = namedIn(words, behindDashes, options);
  const root = projectRoot(folder, terminal.cwd);
  const client = clientName === undefined ? undefined : clientNamed(clientName);
  const env = Object.fromEntries((options.env ?? []).map(variable));
  const isRemoved = client !== undefined && options.remove === true;
  const asked =
    command.length === 0 || (isRemoved && options.name !== undefined)
      ? undefined
      : await askServer(terminal, command, { cwd: root, env });
  const ownName = (): string => options.name ?? (asked ? clientsName(asked.name) : serverName(root));
  const nameBefore = ownName();
  if (isRemoved) return remove(terminal, client, root, nameBefore, options);
  const isElsewhere = options.url !== undefined || command.length > 0;
  if (!isElsewhere && !(await isBuilt(terminal, root))) return 1;
  const name = ownName();
  const address =
    command.length > 0
      ? programAddress(command, { folder: root, scope: options.scope, client, env })
      : addressOf(root, client, env, options);
  if (client === undefined) {
    const entry = INSTALLABLE_CLIENTS[0]?.entry(address, name);
    terminal.out.write(`${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`);
    const names = INSTALLABLE_CLIENTS.map((each) => each.name).join(", ");
    const given = command.length > 0 ? " -- …" : "";
    terminal.err.write(
      `\nMost clients take this. \`tenon install <client>${given}\` writes it for you: ${names}.\n`,
    );
    return 0;
  }
  const entry = client.entry(address, name);
  if (entry === undefined) {
    throw new Failure(`${client.label} takes the address of a server in its settings alone.`, {
      hint: `Add ${options.url} there, under Connectors.`,
    });
  }
  const isOwn = (known: unknown): boolean =>
    reachesSame(known, entry) || (command.length === 0 && namesFolder(known, root));
  const file = fileOf(client, root, options.scope);
  return write(terminal, client, file, { name, fresh: entry, options, isOwn, about: asked?.about });
}

interface NamedWords {
  clientName: string | undefined;
  folder: string;
  /** Of a server that is not the project's. */
  command: readonly string[];
}

/** @throws Failure (exit code 2) when the words make no sense together */
function namedIn(
  words: readonly string[],
  behindDashes: number,
  { url, header = [] }: InstallOptions,
): NamedWords {
  const split = words.length - behindDashes;
  const command = words.slice(split);
  const [clientName, folder = ".", extra] = words.slice(0, split);
  if (extra !== undefined) {
    throw new Failure(`\`${extra}\` is one word too many.`, {
      hint: "Name a client and a folder. The command that starts a server goes after --.",
      exitCode: 2,
    });
  }
  if (command.length > 0 && url !== undefined)
    throw new Failure("Name the URL of a server or the command that starts one, not both.", { exitCode: 2 });
  if (header.length > 0 && url === undefined)
    throw new Failure("--header is for a server at a --url.", { exitCode: 2 });
  return { clientName, folder, command };
}

interface Installation {
  name: string;
  /** What is written of a server that the client does not know yet. */
  fresh: object;
  options: InstallOptions;
  /** True for an entry that may be replaced unasked. */
  isOwn: (known: unknown) => boolean;
  /** What is known of a server that is somebody else's. */
  about: string | undefined;
}

function write(
  { out }: Terminal,
  client: InstallableClient,
  file: string,
  { name, fresh, options, isOwn, about }: Installation,
): number {
  const before = readConfig(file);
  const known = configured(client.format, before, { key: client.key, server: name });
  const { entry, kept } = options.force === true ? { entry: fresh, kept: [] } : updatedEntry(known, fresh);
  if (isDeepStrictEqual(known, entry)) {
    out.write(`${client.label} has ${name} already: nothing was changed in ${file}\n`);
    return 0;
  }
  if (known !== undefined && options.force !== true && !isOwn(known)) {
    throw new Failure(`${client.label} has another server of the name ${name}, in ${file}.`, {
      hint: "Choose another name by --name, or replace it by --force.",
    });
  }
  const text = changedConfig(client.format, before, { key: client.key, server: name, entry });
  if (options.print === true) {
    out.write(`# ${file}\n${text}`);
    return 0;
  }
  const backup = replaceConfig(file, text);
  const { paint } = out;
  out.write(`${paint.green("✓")} ${client.label} has ${paint.bold(name)} now. ${client.afterwards}\n`);
  if (about !== undefined) out.write(`  ${about}\n`);
  if (kept.length > 0) {
    const lines = wrap(`kept as it was: ${kept.map(printable).join(", ")}`, out.columns - 2);
    out.write(lines.map((line) => `  ${line}\n`).join(""));
  }
  out.write(paint.dim(`  ${file}${backup === undefined ? "" : `\n  as it was before: ${backup}`}`) + "\n");
  return 0;
}

function remove(
  { out }: Terminal,
  client: InstallableClient,
  root: string,
  name: string,
  { scope, print }: InstallOptions,
): number {
  const file = fileOf(client, root, scope);
  const before = readConfig(file);
  if (configured(client.format, before, { key: client.key, server: name }) === undefined) {
    out.write(`${client.label} has no ${name}: nothing was changed in ${file}\n`);
    return 0;
  }
  const text = changedConfig(client.format, before, { key: client.key, server: name, entry: undefined });
  if (print === true) out.write(`# ${file}\n${text}`);
  else {
    const backup = replaceConfig(file, text);
    out.write(`${out.paint.green("✓")} ${client.label} has ${name} no more. ${client.afterwards}\n`);
    out.write(`${out.paint.dim(`  as it was before: ${backup}`)}\n`);
  }
  return 0;
}

function clientNamed(text: string): InstallableClient {
  const names = INSTALLABLE_CLIENTS.map(({ name }) => name);
  const found = INSTALLABLE_CLIENTS.find(({ name }) => name === text.toLowerCase());
  if (found === undefined) throw unknownName("client", text, names, { exitCode: 2 });
  return found;
}

function fileOf(client: InstallableClient, folder: string, scope: Scope): string {
  const file = client.file(scope, ownSurroundings(folder));
  if (file !== undefined) return file;
  throw new Failure(`${client.label} has one configuration for all folders, and none of a project.`, {
    hint: "Leave out --scope project.",
    exitCode: 2,
  });
}

/** Builds the project where that has not been done since it was changed. */
async function isBuilt(terminal: Terminal, root: string): Promise<boolean> {
  const { err } = terminal;
  const outDir = join(root, "dist");
  const hasSources = existsSync(join(root, "src"));
  const isStale = hasSources && isBuildFresh(root, outDir) === false;
  if (existsSync(join(outDir, "server.js")) && !isStale) return true;
  if (isStale) err.write(err.paint.dim("The sources have changed since dist/ was made. Building…\n"));
  const { compilation, files } = await buildProject({ root, color: err.color });
  printDiagnostics(err, compilation.diagnostics);
  return files !== undefined && !hasErrors(compilation.diagnostics);
}

function addressOf(
  root: string,
  client: InstallableClient | undefined,
  env: Record<string, string>,
  { scope, url, header = [] }: InstallOptions,
): ServerAddress {
  if (url !== undefined) {
    if (!URL.canParse(url)) throw new Failure(`${url} is no URL.`, { exitCode: 2 });
    return { url, headers: Object.fromEntries(header.map(headerField)) };
  }
  // What is shared with others must hold on their machines; what is one's own, wherever the client is started.
  const isShared = scope === "project";
  const isFound = isShared || client?.isGraphical !== true;
  const script = client?.name === "vscode" ? "${workspaceFolder}/dist/server.js" : "dist/server.js";
  return {
    command: isFound ? "node" : process.execPath,
    args: [isShared ? script : join(root, "dist", "server.js")],
    env,
  };
}

function variable(text: string): [string, string] {
  const end = text.indexOf("=");
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)];
  throw new Failure(`--env takes NAME=value (got ${text}).`, { exitCode: 2 });
}

function headerField(text: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // What comes after the name may be a secret, and is not repeated.
  throw new Failure(`--header takes "Name: value" (got ${JSON.stringify(text.split(/[:\s]/, 1)[0])}…).`, {
    exitCode: 2,
  });
}

/** True for an entry with a path in the project's folder: it starts what is there, in whatever way. */
function namesFolder(entry: unknown, root: string): boolean {
  if (typeof entry === "string") return isInside(entry, root);
  return (
    typeof entry === "object" &&
    entry !== null &&
    Object.values(entry).some((each) => namesFolder(each, root))
  );
}
