import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileTree } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { Server } from "@tenon/runtime/server";
import { startFailureText } from "@tenon/runtime/start-failure";
import { guardStdout } from "@tenon/runtime/stdout-guard";
import { buildProject } from "../project/build-project.js";
import { projectRoot } from "../project/project-root.js";
import { parseRecording, RECORDINGS, type Recording } from "../recording/format.js";
import { createMask, secretArguments } from "../recording/mask.js";
import { maskOf } from "../recording/secrets.js";
import { hintLines } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { count } from "../terminal/text-format.js";
import { caller } from "./caller.js";
import type { Period } from "./compare/changing.js";
import { ignoredPlaces } from "./compare/differences.js";
import { playSession } from "./play.js";
import { replayReport } from "./report.js";
import { readSession } from "../recording/session.js";
import { testSource } from "./test-file/test-source.js";
import { isChanged, judge } from "./verdicts.js";

export interface ReplayOptions {
  /** Places and members whose differences do not matter. */
  ignore?: string[];
  /** Who calls: a subject, or a principal as JSON. */
  as?: string;
  /** Secrets that were masked: `1=value` for `(secret 1)`. */
  secret?: string[];
  /** How many seconds an answer is waited for. */
  timeout?: number;
  json?: boolean;
  /** Write a test file instead of a report, here or at the usual place. */
  test?: string | boolean;
}

const DEFAULT_TIMEOUT = 60;

/**
 * `tenon replay [file]`: plays a recorded session against the project in the current folder.
 *
 * @param file of the recording, or a folder, for the newest there; default those of the project
 * @returns 1 when anything is not as it was recorded
 */
export async function replay(
  terminal: Terminal,
  file: string | undefined,
  options: ReplayOptions = {},
): Promise<number> {
  const root = projectRoot(terminal.cwd);
  const path =
    file === undefined ? newestRecording(join(root, RECORDINGS), terminal) : namedRecording(file, terminal);
  const recording = parseRecording(readFileSync(path, "utf8"), shown(path, terminal));
  const session = readSession(recording.messages);
  const principal = options.as === undefined ? undefined : caller(options.as);
  const secrets = givenSecrets(options.secret ?? []);
  const testPath = options.test ? newTestPath(options.test, path, root, terminal) : undefined;
  const built = await buildServer(root, terminal);
  if (!built) return 1;

  const { server, manifest } = built;
  const recorded = periodOf(recording);
  const ignored = ignoredPlaces(options.ignore ?? []);
  const named = new Set(secretArguments(manifest));
  const startedAt = Date.now();
  const playing = await playSession(server, session, {
    principal: principal ?? server.localPrincipal,
    secrets,
    timeoutMs: (options.timeout ?? DEFAULT_TIMEOUT) * 1000,
  });
  await server.close();
  const verdicts = judge(session, playing, {
    recorded,
    replayed: { from: startedAt, to: Date.now() },
    ignored,
    mask: createMask({ env: process.env, isSecretArgument: (name) => named.has(name) }),
  });
  const { out, err } = terminal;
  if (options.json)
    out.write(`${JSON.stringify({ recording: shown(path, terminal), ...verdicts }, null, 2)}\n`);
  else out.write(introduction(recording, path, terminal) + replayReport(verdicts, out));
  for (const hint of hints(recording, options)) err.write(hintLines(hint, err));
  if (testPath === undefined) return isChanged(verdicts) ? 1 : 0;

  const { source, calls, left } = testSource({
    recording,
    session,
    manifest,
    period: recorded,
    ignored,
    project: relativeUrl(dirname(testPath), root),
    name: basename(path),
  });
  if (calls === 0) throw new Failure("The session has no call that a test could make.");
  writeFileTree(new Map([[basename(testPath), source]]), dirname(testPath));
  const others = left > 0 ? `, without ${count(left, "other")} that cannot be repeated` : "";
  err.write(`${err.paint.green("✓")} Wrote ${shown(testPath, terminal)}: ${count(calls, "call")}${others}\n`);
  if (isChanged(verdicts))
    err.write("  The test expects what was recorded, so it fails until that is so again.\n");
  return isChanged(verdicts) ? 1 : 0;
}

/** @throws Failure for what names no secret */
function givenSecrets(options: readonly string[]): Map<string, string> {
  const named = options.map((option) => {
    const [, number, value] = /^(\d+)=(.*)$/s.exec(option) ?? [];
    if (number === undefined || value === undefined)
      throw new Failure("--secret wants a number and a value, such as --secret 1=hunter2.", { exitCode: 2 });
    return [maskOf(Number(number)), value] as const;
  });
  return new Map(named);
}

async function buildServer(
  root: string,
  { err }: Terminal,
): Promise<{ server: Server; manifest: Manifest } | undefined> {
  const outDir = join(root, ".tenon", "replay");
  const { compilation, files } = await buildProject({
    root,
    outDir,
    typeCheck: false,
    bundlePackages: false,
    color: err.color,
  });
  const { manifest, diagnostics } = compilation;
  printDiagnostics(
    err,
    diagnostics.filter(({ severity }) => severity === "error"),
  );
  if (!files || !manifest) return undefined;
  return { server: await loadServer(join(outDir, "app.js")), manifest };
}

/** @throws Failure when what the user wrote fails while it is loaded */
async function loadServer(file: string): Promise<Server> {
  guardStdout();
  process.setSourceMapsEnabled(true);
  const url = `${pathToFileURL(file).href}?built=${statSync(file).mtimeMs}`;
  const { server } = (await import(url).catch((error: unknown) => {
    throw new Failure(`The server cannot start.\n\n${startFailureText(error, import.meta.url)}`, {
      cause: error,
    });
  })) as { server: Server };
  return server;
}

/** @throws Failure when there is none */
function namedRecording(file: string, terminal: Terminal): string {
  const path = resolve(terminal.cwd, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Failure(`There is no file ${shown(path, terminal)}.`, { exitCode: 2 });
  return found.isDirectory() ? newestRecording(path, terminal) : path;
}

/** @throws Failure when there is none */
function newestRecording(folder: string, terminal: Terminal): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  const files = names.map((name) => join(folder, name));
  const newest = files.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (newest !== undefined) return newest;
  throw new Failure(`There is no recording in ${shown(folder, terminal)}.`, {
    hint: "`tenon dev --record` makes them. Another file can be named: tenon replay <file>.",
  });
}

/** @throws Failure when there is a file already: a person may have made something of it */
function newTestPath(test: string | true, recording: string, root: string, terminal: Terminal): string {
  const usual = join(root, "test", `${basename(recording, ".jsonl")}.test.ts`);
  const path = test === true ? usual : resolve(terminal.cwd, test);
  if (!existsSync(path)) return path;
  throw new Failure(`${shown(path, terminal)} is there already.`, {
    hint: "Remove it, or name another file: --test test/other.test.ts.",
  });
}

function periodOf({ startedAt, messages }: Recording): Period {
  const from = Date.parse(startedAt);
  return { from, to: from + (messages.at(-1)?.ms ?? 0) };
}

function introduction({ startedAt, messages, isCut }: Recording, path: string, terminal: Terminal): string {
  const { paint } = terminal.out;
  const cut = isCut ? paint.yellow("  Its last line is not whole and is left out.\n") : "";
  const time = startedAt.slice(0, 16).replace("T", " ");
  return `${paint.bold(shown(path, terminal))}  ${paint.dim(`${count(messages.length, "message")}, ${time} UTC`)}\n${cut}\n`;
}

/** What a person should know who sees answers that have changed for no reason in the sources. */
function hints({ messages }: Recording, { as }: ReplayOptions): string[] {
  const isAuthorized = messages.some(({ headers }) => headers?.["authorization"] !== undefined);
  if (!isAuthorized || as !== undefined) return [];
  return ["The client had shown who it is, and its token was not kept. `--as` says on whose behalf to call."];
}

/** A path as the person at the terminal would write it. */
function shown(path: string, { cwd }: Terminal): string {
  const short = relative(cwd, path).replaceAll("\\", "/");
  return short.startsWith("../../") ? path : short;
}

function relativeUrl(from: string, to: string): string {
  const path = relative(from, to).replaceAll("\\", "/");
  return path === "" ? "." : path;
}
