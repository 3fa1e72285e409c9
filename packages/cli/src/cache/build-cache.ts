import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Compilation } from "@tenon/compiler";
import { writeFileTree } from "@tenon/compiler/report";
import { isInside } from "../files/is-inside.js";
import { findIgnoreFile, OWN_FOLDER } from "../files/own-folder.js";
import { isProject } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";
import { count } from "../terminal/text-format.js";
import { type CachedCommand, requestFromDev } from "./dev-request.js";
import { type ChangedInput, findChangedInputs, hashContent, type Input, mergeInputs } from "./inputs.js";
import { identifyTools, listInstalled } from "./installation.js";
import { recordInputs } from "./record-inputs.js";

/** A result that is computed from a project, and kept until an input changes. */
export interface CachedWork<Result> {
  /** The project folder, absolute. */
  root: string;
  name: CachedCommand;
  /** All options that the result depends on, as JSON. */
  options: Readonly<Record<string, unknown>>;
  /**
   * Loads the modules that compute the result. The returned function computes it, which consists of plain JSON, from a
   * compilation that a dev server has, or else from its own.
   */
  load(): Promise<(compile?: () => Compilation) => Result | Promise<Result>>;
  /** Returns whether the files that a kept result refers to still exist unchanged. */
  isComplete?(result: Result): boolean;
}

/** A compilation that has another owner, which reads unchanged files only once. */
export interface SharedCompilation {
  compilation: Compilation;
  /** All that it depends on. Absent if a file changed while it was read. */
  inputs?: readonly Input[] | undefined;
}

/** A kept result, with the inputs that it was computed from. */
interface CacheRecord<Result> {
  /** The tools, the project folder, and the options. */
  key: string;
  inputs: readonly Input[];
  result: Result;
}

/**
 * Returns the result of an earlier run if every input is unchanged. Otherwise, a running `tenon dev` computes it from what it
 * has compiled already, or this process does.
 *
 * Inputs are compared by content: hashing all of them takes a few milliseconds, while times can be set, and two edits can have
 * the same time. A result of `tenon dev` is read from its record, and compared with the files in the same way.
 *
 * @param verbose whether to report on stderr which of these happened, why, and how long it took
 * @throws the errors of the computation; a cache that cannot be read or written is not an error
 */
export async function reuseOrCompute<Result>(
  terminal: Terminal,
  work: CachedWork<Result>,
  verbose = false,
): Promise<Result> {
  const started = performance.now();
  const report = (text: string): void => {
    const ms = Math.round(performance.now() - started);
    if (verbose) terminal.err.write(`${text}. This took ${ms} ms.\n`);
  };
  const tools = identifyTools();
  const kept = readCurrent(work, tools, verbose);
  if ("result" in kept) {
    report("Reused the last compilation, because nothing has changed");
    return kept.result;
  }
  const request = { name: work.name, options: work.options, key: createKey(work, tools), pid: process.pid };
  const { pid, problem } = (await requestFromDev(work.root, request)) ?? {};
  const computed = pid !== undefined && problem === undefined ? readCurrent(work, tools, verbose) : undefined;
  if (computed && "result" in computed) {
    report(`\`tenon dev\` (process ${pid}) compiled the project, because ${kept.reason}`);
    return computed.result;
  }
  const result = await computeAndKeep(work, tools);
  const unused =
    pid === undefined
      ? ""
      : `, and \`tenon dev\` (process ${pid}) did not, because ${problem ?? computed?.reason}`;
  report(`Compiled the project, because ${kept.reason}${unused}`);
  return result;
}

/**
 * Computes a result and keeps it.
 *
 * @param tools the hash of all that compiles, from `identifyTools`
 * @param shared returns the compilation of another owner, and the same object while nothing changes. Default: a new one
 */
export async function computeAndKeep<Result>(
  work: CachedWork<Result>,
  tools: string,
  shared?: () => SharedCompilation,
): Promise<Result> {
  const { root } = work;
  const compute = await work.load();
  const installed = listInstalled(root);
  let used: SharedCompilation | undefined;
  const compile = shared && ((): Compilation => (used = shared()).compilation);
  const { result, inputs } = await recordInputs(root, () => compute(compile));
  // While the result was computed, the owner may have compiled other files.
  const isCurrent = used === undefined || shared?.() === used;
  const compiled = used ? used.inputs : [];
  const all = isCurrent && inputs && compiled && mergeInputs([...installed, ...compiled, ...inputs]);
  // Other folders stay as they are.
  if (all && isProject(root)) writeRecord(work, { key: createKey(work, tools), inputs: all, result });
  return result;
}

/** Returns a hash of the tools, the project folder, and the options of a result. */
export function createKey(
  { root, options }: Pick<CachedWork<unknown>, "root" | "options">,
  tools: string,
): string {
  return hashContent(JSON.stringify([tools, root, options]));
}

/** Returns the kept result, or why it cannot be used. */
function readCurrent<Result>(
  work: CachedWork<Result>,
  tools: string,
  verbose: boolean,
): Pick<CacheRecord<Result>, "result"> | { reason: string } {
  const { root } = work;
  const kept = readRecord<Result>(join(root, OWN_FOLDER, getFile(work)));
  if (kept === undefined) return { reason: "no earlier compilation was kept" };
  if (kept.key !== createKey(work, tools))
    return { reason: "Tenon, Node, or an environment variable has changed" };
  const changes = findChangedInputs(kept.inputs);
  const first = changes.next();
  // Only a report needs the others, and comparing them takes time.
  if (first.done !== true)
    return { reason: describeChanges([first.value, ...(verbose ? changes : [])], root) };
  return work.isComplete?.(kept.result) === false
    ? { reason: "files of the earlier build have changed" }
    : kept;
}

/** Describes changes by their number, and by the path that the author most probably knows of. */
function describeChanges(changes: readonly ChangedInput[], root: string): string {
  const rank = ({ path, property }: ChangedInput): number =>
    (path.includes(`${sep}node_modules`) ? 8 : 0) +
    (isInside(path, root) ? 0 : 4) +
    (isInside(path, join(root, "src")) ? 0 : 2) +
    // The names in a folder change with each file that is added.
    (property === "names" || property === "tree" ? 1 : 0);
  const paths = new Set(changes.toSorted((a, b) => rank(a) - rank(b)).map(({ path }) => path));
  const [first = root] = paths;
  const shown = relative(root, first).replaceAll("\\", "/") || ".";
  return paths.size === 1
    ? `${shown} has changed`
    : `${shown} and ${count(paths.size - 1, "other input")} have changed`;
}

/** Returns the path of a record, relative to Tenon's folder. */
function getFile({ name, options }: CachedWork<unknown>): string {
  return `cache/${name}-${hashContent(JSON.stringify(options)).slice(0, 8)}.json`;
}

/** Reads a record. Returns undefined if it is missing, incomplete, or damaged. */
function readRecord<Result>(path: string): CacheRecord<Result> | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    return hashContent(body) === text.slice(0, end) ? (JSON.parse(body) as CacheRecord<Result>) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a record, which replaces an earlier one at once. */
function writeRecord<Result>(work: CachedWork<Result>, record: CacheRecord<Result>): void {
  const body = JSON.stringify(record);
  const { root } = work;
  const ignored = findIgnoreFile(root);
  try {
    writeFileTree(
      new Map([...ignored, [getFile(work), `${hashContent(body)}\n${body}`]]),
      join(root, OWN_FOLDER),
    );
  } catch {
    // The folder may be read-only.
  }
}
