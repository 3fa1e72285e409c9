import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Compilation } from "@tenon/compiler";
import { writeFileTree } from "@tenon/compiler/report";
import { isInside } from "../files/is-inside.js";
import { findIgnoreFile, OWN_FOLDER } from "../files/own-folder.js";
import { isProject } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCount } from "../terminal/text-format.js";
import { type CachedCommand, requestFromDev } from "./dev-request.js";
import { type ChangedInput, findChangedInputs, hashContent, type Input, mergeInputs } from "./inputs.js";
import { identifyTools, listInstallationInputs } from "./installation.js";
import { recordInputs } from "./record-inputs.js";

/** A result that is computed from a project, and cached until an input changes. */
export interface CachedWork<Result> {
  /** The project folder, absolute. */
  root: string;
  name: CachedCommand;
  /** All options that the result depends on, as JSON. */
  options: Readonly<Record<string, unknown>>;
  /**
   * Loads the modules that compute the result, which is plain JSON. The returned function uses the compilation of a
   * dev server if it receives one, and otherwise compiles the project itself.
   */
  load(): Promise<(compile?: () => Compilation) => Result | Promise<Result>>;
  /** Returns whether the files that a cached result refers to still exist unchanged. */
  isComplete?(result: Result): boolean;
}

/** A compilation that belongs to another owner, such as a dev server, which reads unchanged files only once. */
export interface SharedCompilation {
  compilation: Compilation;
  /** Everything that it depends on. Absent if a file changed while it was read. */
  inputs?: readonly Input[] | undefined;
}

/** A cached result, with the inputs that it was computed from. */
interface CacheRecord<Result> {
  /** The tools, the project folder, and the options. */
  key: string;
  inputs: readonly Input[];
  result: Result;
}

/**
 * Returns the result of an earlier run if every input is unchanged. Otherwise, a running `tenon dev` computes it
 * from its last compilation, or this process computes it.
 *
 * Inputs are compared by content, because modification times are unreliable: programs can set them, and two edits
 * can have the same time. Hashing all inputs takes a few milliseconds. A result of `tenon dev` is read from its
 * record, and its inputs are compared with the files in the same way.
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
  const cached = readCurrent(work, tools, verbose);
  if ("result" in cached) {
    report("Reused the last compilation, because nothing has changed");
    return cached.result;
  }
  const request = { name: work.name, options: work.options, key: createKey(work, tools), pid: process.pid };
  const { pid, problem } = (await requestFromDev(work.root, request)) ?? {};
  const computed = pid !== undefined && problem === undefined ? readCurrent(work, tools, verbose) : undefined;
  if (computed && "result" in computed) {
    report(`\`tenon dev\` (process ${pid}) compiled the project, because ${cached.reason}`);
    return computed.result;
  }
  const result = await computeAndKeep(work, tools);
  const unused =
    pid === undefined
      ? ""
      : `, and \`tenon dev\` (process ${pid}) did not, because ${problem ?? computed?.reason}`;
  report(`Compiled the project, because ${cached.reason}${unused}`);
  return result;
}

/**
 * Computes a result and keeps it.
 *
 * @param tools the hash that `identifyTools` returns
 * @param shared returns the compilation of another owner, as the same object while nothing changes. If it is missing, this process compiles the project
 */
export async function computeAndKeep<Result>(
  work: CachedWork<Result>,
  tools: string,
  shared?: () => SharedCompilation,
): Promise<Result> {
  const { root } = work;
  const compute = await work.load();
  const installed = listInstallationInputs(root);
  let used: SharedCompilation | undefined;
  const compile = shared && ((): Compilation => (used = shared()).compilation);
  const { result, inputs } = await recordInputs(root, () => compute(compile));
  // While the result was computed, the owner may have compiled other files.
  const isCurrent = used === undefined || shared?.() === used;
  const compiled = used ? used.inputs : [];
  const all = isCurrent && inputs && compiled && mergeInputs([...installed, ...compiled, ...inputs]);
  // Writes nothing to a folder that is not a project.
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

/** Returns the cached result, or why it cannot be used. */
function readCurrent<Result>(
  work: CachedWork<Result>,
  tools: string,
  verbose: boolean,
): Pick<CacheRecord<Result>, "result"> | { reason: string } {
  const { root } = work;
  const cached = readRecord<Result>(join(root, OWN_FOLDER, getFile(work)));
  if (cached === undefined) return { reason: "no earlier compilation was kept" };
  if (cached.key !== createKey(work, tools))
    return { reason: "Tenon, Node, or an environment variable has changed" };
  const changes = findChangedInputs(cached.inputs);
  const first = changes.next();
  // Only a report needs the other changes, and finding them takes time.
  if (first.done !== true)
    return { reason: describeChanges([first.value, ...(verbose ? changes : [])], root) };
  return work.isComplete?.(cached.result) === false
    ? { reason: "files of the earlier build have changed" }
    : cached;
}

/** Describes changes by their number, and by the path that the author most probably recognizes. */
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
    : `${shown} and ${formatCount(paths.size - 1, "other input")} have changed`;
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

/** Writes a record, which replaces an earlier one atomically. */
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
