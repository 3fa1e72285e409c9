import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import type { Server } from "@tenon/runtime/server";
import { OWN_FOLDER } from "../files/own-folder.js";
import { buildForLoading, loadBuilt } from "../project/load-built.js";
import { enterProject, findProjectRoot } from "../project/project-root.js";
import { parseRecording, type Recording } from "../recording/format.js";
import { findRecording, formatPath } from "../recording/find-recording.js";
import { readDeclaredSecrets } from "../recording/declared-secrets.js";
import { createMask } from "../recording/mask.js";
import { toMask } from "../recording/secrets.js";
import { formatError, formatHint } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { rejectRepeatedNames } from "../terminal/repeated-name.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCount } from "../terminal/text-format.js";
import { parsePrincipal } from "../project/caller.js";
import type { Period } from "../compare/json/volatile-values.js";
import { parseIgnoredPaths } from "../compare/json/json-differences.js";
import { replaySession } from "./replay-session.js";
import { formatReplay } from "./report.js";
import { readSession } from "../recording/session.js";
import { createTestFile } from "./test-file/test-source.js";
import { isChanged, isUnknown, compareSessions } from "./verdicts.js";

/** The options of `tenon replay`. */
export interface ReplayOptions {
  /** Paths and members to ignore in the comparison. */
  ignore?: string[];
  /** The caller: a subject, or a principal as JSON. */
  as?: string;
  /** The values of masked secrets: `1=value` for `(secret 1)`. */
  secret?: string[];
  /** The maximum number of seconds to wait for each response. */
  timeout?: number;
  json?: boolean;
  /** Whether to write a test file as well, or its path. */
  writeTest?: string | boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

/**
 * Runs `tenon replay [file]`: replays a recorded session against the project in the current folder.
 *
 * @param file a recording, or a folder whose newest recording is used (default: the recordings of the project)
 * @returns 1 if the project has errors, or if anything differs from the recording and no test was to be written
 */
export async function replay(
  terminal: Terminal,
  file: string | undefined,
  options: ReplayOptions = {},
): Promise<number> {
  const root = findProjectRoot(".", terminal.cwd);
  const path = findRecording(root, file, terminal.cwd);
  const recording = parseRecording(readFileSync(path, "utf8"), formatPath(path, terminal.cwd));
  const session = readSession(recording.messages);
  const principal = options.as === undefined ? undefined : parsePrincipal(options.as);
  const secrets = parseSecrets(options.secret ?? []);
  for (const mask of secrets.keys())
    if (!JSON.stringify(recording.messages).includes(mask))
      throw new Failure(`The recording contains no ${mask.slice(1, -1)}.`, {
        hint: "--secret requires the number of a secret in the recording.",
        exitCode: 2,
      });
  const testPath = options.writeTest ? chooseTestPath(options.writeTest, path, root, terminal) : undefined;
  const outDir = join(root, OWN_FOLDER, "replay");
  const manifest = await buildForLoading(terminal, root, outDir);
  if (!manifest) return 1;

  enterProject(root, terminal.cwd);
  const { server } = await loadBuilt<{ server: Server }>(outDir, "app.js");
  const recorded = getPeriod(recording);
  const isIgnored = parseIgnoredPaths(options.ignore ?? []);
  const { isSecretArgument } = readDeclaredSecrets(manifest);
  const startedAt = Date.now();
  const replayedSession = await replaySession(server, session, {
    principal: principal ?? server.localPrincipal,
    secrets,
    timeoutMs: (options.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  });
  await server.close();
  const verdicts = compareSessions(session, replayedSession, {
    recorded,
    replayed: { from: startedAt, to: Date.now() },
    isIgnored,
    mask: createMask({
      env: process.env,
      isSecretArgument,
      known: new Map([...secrets].map(([mask, secret]) => [secret, mask])),
    }),
  });
  const { out, err } = terminal;
  if (options.json)
    out.write(`${JSON.stringify({ recording: formatPath(path, terminal.cwd), ...verdicts }, null, 2)}\n`);
  else out.write(formatIntroduction(recording, path, terminal) + formatReplay(verdicts, out));
  for (const hint of listHints(recording, options)) err.write(formatHint(hint, err));
  if (isUnknown(verdicts))
    err.write(formatError("Nothing was compared, since no request could be repeated.", err));
  if (testPath === undefined) return isChanged(verdicts) || isUnknown(verdicts) ? 1 : 0;

  const { source, calls, omitted } = createTestFile({
    recording,
    session,
    period: recorded,
    isIgnored,
    project: toRelativeUrl(dirname(testPath), root),
    name: basename(path),
  });
  if (calls === 0) throw new Failure("The session contains no call that a test can repeat.");
  writeFileTree(new Map([[basename(testPath), source]]), dirname(testPath));
  const omittedNote = omitted > 0 ? `; omitted ${formatCount(omitted, "call")} that cannot be repeated` : "";
  err.write(
    `${err.paint.green("✓")} Wrote ${formatPath(testPath, terminal.cwd)}: ${formatCount(calls, "call")}${omittedNote}\n`,
  );
  if (isChanged(verdicts))
    err.write("  The test expects the recorded responses, so it fails until they match again.\n");
  return 0;
}

/**
 * Parses the values of `--secret`.
 *
 * @throws Failure if a value has no number, or a number is repeated
 */
function parseSecrets(options: readonly string[]): Map<string, string> {
  const named = options.map((option) => {
    const [, number, value] = /^(\d+)=(.*)$/s.exec(option) ?? [];
    if (number === undefined || value === undefined)
      throw new Failure("--secret requires a number and a value, such as --secret 1=hunter2.", {
        exitCode: 2,
      });
    return [Number(number), value] as const;
  });
  rejectRepeatedNames(
    "--secret",
    named.map(([number]) => String(number)),
  );
  return new Map(named.map(([number, value]) => [toMask(number), value]));
}

/**
 * Returns the path of the test to write.
 *
 * @throws Failure if the file exists, since its author may have edited it
 */
function chooseTestPath(test: string | true, recording: string, root: string, terminal: Terminal): string {
  const defaultPath = join(root, "test", `${basename(recording, ".jsonl")}.test.ts`);
  const path = test === true ? defaultPath : resolve(terminal.cwd, test);
  if (!existsSync(path)) return path;
  throw new Failure(`${formatPath(path, terminal.cwd)} already exists.`, {
    hint: "Remove it, or name another file: --write-test test/other.test.ts.",
  });
}

function getPeriod({ startedAt, messages }: Recording): Period {
  const from = Date.parse(startedAt);
  return { from, to: from + (messages.at(-1)?.ms ?? 0) };
}

function formatIntroduction(
  { startedAt, messages, isTruncated }: Recording,
  path: string,
  terminal: Terminal,
): string {
  const { paint } = terminal.out;
  const truncationNote = isTruncated ? paint.yellow("  Its last line is incomplete and was ignored.\n") : "";
  const time = startedAt.slice(0, 16).replace("T", " ");
  return `${paint.bold(formatPath(path, terminal.cwd))}  ${paint.dim(`${formatCount(messages.length, "message")}, ${time} UTC`)}\n${truncationNote}\n`;
}

/** Returns hints for changes that have no cause in the sources. */
function listHints({ messages }: Recording, { as }: ReplayOptions): string[] {
  const isAuthorized = messages.some(({ headers }) => headers?.["authorization"] !== undefined);
  if (!isAuthorized || as !== undefined) return [];
  return [
    "The client sent a token, which was not recorded. If the server requires it, name the caller with --as.",
  ];
}

function toRelativeUrl(from: string, to: string): string {
  const path = relative(from, to).replaceAll("\\", "/");
  return path === "" ? "." : path;
}
