import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { clientSource, compile, type ServerLists, writeFileTree } from "@tenon/compiler";
import type { Resource } from "@tenon/runtime/manifest";
import { manifestLists } from "../project/manifest-lists.js";
import { projectRoot } from "../project/project-root.js";
import { findPlace } from "../remote/find-target.js";
import { refuseRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { nameOf, type RemoteTarget } from "../remote/remote-target.js";
import { errorLines, hintLines } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { summarize } from "../terminal/text-format.js";
import { changedTools } from "./changed-tools.js";
import { packageFiles } from "./package-files.js";

export interface TypesOptions extends RemoteFlags {
  out?: string;
  /** The name of the package to write around the module. */
  package?: string;
  check?: boolean;
  force?: boolean;
}

/** By this, a file is known to be made. */
const MADE = "Made by `tenon types`";

/**
 * `tenon types`: a typed client for what a server lists.
 *
 * @throws Failure when the server cannot be reached, or a file is somebody's own
 */
export async function writeTypes(
  terminal: Terminal,
  words: readonly string[],
  behindDashes: number,
  options: TypesOptions,
): Promise<number> {
  const { folder, target } = findPlace(words, behindDashes);
  const { out, check = false, force = false, package: packageName } = options;
  if (out === undefined && (check || packageName !== undefined))
    throw new Failure(`--${check ? "check" : "package"} needs --out.`, {
      hint: check
        ? "Name the file or the folder to look at: `--out src/search.ts`."
        : "Name the folder of the package: `--out client`.",
      exitCode: 2,
    });
  if (!target) refuseRemoteFlags(options);
  const made = target
    ? await typesOfServer(terminal, target, options)
    : typesOfProject(terminal, folder, options.era);
  if (made === undefined) return 1;
  if (out === undefined) {
    terminal.out.write(made.source);
    return 0;
  }
  const place = resolve(terminal.cwd, out);
  const file = packageName === undefined ? place : join(place, "src", "index.ts");
  const shown = relative(terminal.cwd, file);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory())
    throw new Failure(`${shown} is a folder.`, {
      hint: "Name a file in it, such as `--out src/client.ts`.",
      exitCode: 2,
    });
  const before = found ? readFileSync(file, "utf8") : undefined;
  if (check) return report(terminal, shown, before, made.source);
  if (before !== undefined && !before.includes(MADE) && !force) {
    throw new Failure(`${shown} exists already, and \`tenon types\` has not written it.`, {
      hint: "Name another by --out, or replace it by --force.",
    });
  }
  write(file, made.source);
  if (packageName !== undefined) {
    for (const [path, text] of packageFiles(packageName, made.about)) {
      // What is beside the module is the author's from then on.
      if (!existsSync(join(place, path))) write(join(place, path), text);
    }
  }
  const { paint } = terminal.out;
  terminal.out.write(
    `${paint.green("✓")} ${paint.bold(shown)} calls ${made.about}: ${summarize(made.lists)}\n`,
  );
  return 0;
}

interface Made {
  readonly source: string;
  readonly lists: ServerLists;
  /** How people know the server. */
  readonly about: string;
}

async function typesOfServer(terminal: Terminal, target: RemoteTarget, flags: RemoteFlags): Promise<Made> {
  const [{ openRemote }, { seenOf }] = await Promise.all([
    import("../remote/open-remote.js"),
    import("../remote/remote-lists.js"),
  ]);
  const server = await openRemote(terminal, target, flags);
  const listed = await server.use(seenOf).finally(() => server.close());
  const { UriTemplate } = await import("@modelcontextprotocol/client");
  const templates = listed.resourceTemplates.map(({ uriTemplate }) => new UriTemplate(uriTemplate));
  // What a template lists is data of this moment, and is read by way of it.
  const isListed = ({ uri }: Resource): boolean => templates.some((template) => template.match(uri) !== null);
  const seen = { ...listed, resources: listed.resources.filter((each) => !isListed(each)) };
  const { name, version } = seen.server;
  const source = clientSource(seen, {
    name,
    version,
    era: seen.era,
    // What is behind a question mark may be a key.
    ...("url" in target && { url: nameOf({ url: new URL(target.url.pathname, target.url.origin) }) }),
  });
  return { source, lists: seen, about: name };
}

/** @returns nothing where the project has errors: they have been printed */
function typesOfProject(terminal: Terminal, folder: string, era: RemoteFlags["era"]): Made | undefined {
  const { manifest, diagnostics } = compile({ root: projectRoot(folder, terminal.cwd), typeCheck: false });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  printDiagnostics(terminal.err, errors);
  if (!manifest || hasErrors(errors)) return undefined;
  if (era === "legacy")
    throw new Failure(
      "What a project lists in legacy revisions is known when it runs: give its URL or command.",
      {
        exitCode: 2,
      },
    );
  const lists = manifestLists(manifest);
  const { name, version } = manifest.server;
  return { source: clientSource(lists, { name, version, era: "modern" }), lists, about: name };
}

function report(terminal: Terminal, file: string, before: string | undefined, after: string): number {
  if (before === after) {
    terminal.out.write(`${file} is up to date.\n`);
    return 0;
  }
  const { err } = terminal;
  if (before === undefined) {
    err.write(errorLines(`There is no ${file}.`, err));
    return 1;
  }
  const changes = changedTools(before, after);
  err.write(errorLines(`The server has changed since ${file} was made.`, err));
  for (const [what, names] of Object.entries(changes))
    if (names.length > 0) err.write(`  ${what.padEnd(8)} ${names.join(", ")}\n`);
  err.write(hintLines("Run the same command without --check to make it again.", err));
  return 1;
}

function write(file: string, text: string): void {
  writeFileTree(new Map([[basename(file), text]]), dirname(file));
}
