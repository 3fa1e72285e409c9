import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeFileTree } from "@tenon/compiler/report";
import { findIgnoreFile, OWN_FOLDER } from "../files/own-folder.js";
import type { Terminal } from "../terminal/terminal.js";
import { hashContent, type Input, readProperty } from "./inputs.js";
import { identifyTools, listInstalled } from "./installation.js";
import { recordInputs } from "./record-inputs.js";

/** A result that is computed from a project, and kept until an input changes. */
export interface CachedWork<Modules, Result> {
  /** The project folder, absolute. */
  root: string;
  /** The name of the command. */
  name: string;
  /** All options that the result depends on, as JSON. */
  options?: Readonly<Record<string, unknown>>;
  /** Whether to report on stderr what was reused, or why nothing was. */
  verbose?: boolean;
  /** Loads the modules that `compute` needs. */
  load(): Promise<Modules>;
  /** Computes the result, which consists of plain JSON. */
  compute(modules: Modules): Result | Promise<Result>;
  /** Returns whether a computed result may be kept. */
  canKeep(result: Result): boolean;
  /** Returns whether the files that a kept result refers to still exist unchanged. */
  isComplete?(result: Result): boolean;
}

/** A kept result, with what it was computed from. */
interface CacheRecord<Result> {
  /** The tools, the project folder, and the options. */
  key: string;
  inputs: readonly Input[];
  result: Result;
}

/**
 * Returns the result of an earlier run if every input is unchanged, and computes it otherwise.
 *
 * Inputs are compared by content: hashing all of them takes a few milliseconds, while times can be set, and two edits can have
 * the same time.
 *
 * @throws the errors of `compute`; a cache that cannot be read or written is not an error
 */
export async function reuseOrCompute<Modules, Result>(
  terminal: Terminal,
  work: CachedWork<Modules, Result>,
): Promise<Result> {
  const { root, name, options = {}, verbose = false } = work;
  const settings = JSON.stringify(options);
  const file = `cache/${name}-${hashContent(settings).slice(0, 8)}.json`;
  const key = hashContent(JSON.stringify([identifyTools(), root, settings]));
  const report = (text: string): void => {
    if (verbose) terminal.err.write(`${text}\n`);
  };
  const kept = readRecord<Result>(join(root, OWN_FOLDER, file));
  const reason = findChange(kept, key, root, work);
  if (kept && reason === undefined) {
    report("Reused the last compilation, because nothing has changed.");
    return kept.result;
  }
  report(`Compiled the project, because ${reason}.`);
  const modules = await work.load();
  const installed = listInstalled(root);
  const { result, inputs } = await recordInputs(root, () => work.compute(modules));
  if (inputs && work.canKeep(result))
    writeRecord(root, file, { key, inputs: [...installed, ...inputs], result });
  return result;
}

/** Returns why a record cannot be used, or undefined if it can. */
function findChange<Modules, Result>(
  kept: CacheRecord<Result> | undefined,
  key: string,
  root: string,
  { isComplete }: CachedWork<Modules, Result>,
): string | undefined {
  if (kept === undefined) return "no earlier compilation was kept";
  if (kept.key !== key) return "Tenon, Node, or an environment variable has changed";
  const changed = kept.inputs.find(([property, path, value]) => readProperty(property, path) !== value);
  if (changed) return `${relative(root, changed[1]) || "."} has changed`;
  return isComplete?.(kept.result) === false ? "files of the earlier build have changed" : undefined;
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
function writeRecord<Result>(root: string, file: string, record: CacheRecord<Result>): void {
  const body = JSON.stringify(record);
  const ignored = findIgnoreFile(root);
  try {
    writeFileTree(new Map([...ignored, [file, `${hashContent(body)}\n${body}`]]), join(root, OWN_FOLDER));
  } catch {
    // The folder may be read-only.
  }
}
