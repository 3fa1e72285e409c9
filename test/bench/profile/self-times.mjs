import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** @typedef {{ functionName: string, url: string, lineNumber: number, columnNumber: number }} Frame */
/**
 * @typedef {object} Profile as V8 writes it
 * @property {{ id: number, callFrame: Frame }[]} nodes
 * @property {number[]} samples
 * @property {number[]} timeDeltas microseconds
 */

/** Idle time, which belongs to no function. */
const IDLE = new Set(["(idle)", "(root)"]);

/**
 * Returns the time spent in each function itself, in microseconds, longest first. Functions of bundles are named by the
 * source file they come from.
 *
 * @param {Profile} profile
 * @returns {{ where: string, micros: number }[]}
 */
export function selfTimes({ nodes, samples, timeDeltas }) {
  const findSource = sourceFinder();
  const names = new Map(nodes.map(({ id, callFrame }) => [id, describe(callFrame, findSource)]));
  /** @type {Map<string, number>} */
  const totals = new Map();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "?";
    if (!IDLE.has(name)) totals.set(name, (totals.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return [...totals].map(([where, micros]) => ({ where, micros })).sort((a, b) => b.micros - a.micros);
}

/** @param {Frame} frame @param {(frame: Frame) => string} findSource */
function describe(frame, findSource) {
  const name = frame.functionName || "(anonymous)";
  return frame.url === "" ? name : `${name} ${findSource(frame)}`;
}

/** @returns {(frame: Frame) => string} */
function sourceFinder() {
  /** @type {Map<string, SourceMap | undefined>} */
  const maps = new Map();
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith("file:")) return `${url}:${lineNumber + 1}`;
    const path = fileURLToPath(url);
    if (!maps.has(path)) maps.set(path, readMap(`${path}.map`));
    const entry = maps.get(path)?.findEntry(lineNumber, columnNumber);
    const source = entry !== undefined && "originalSource" in entry ? entry.originalSource : path;
    const line = entry !== undefined && "originalLine" in entry ? entry.originalLine : lineNumber;
    return `${source.replace(/^.*\/(?=(?:src|dist|runtime)\/)/, "").replace(/^(?:\.\.\/)+/, "")}:${line + 1}`;
  };
}

/** @param {string} path */
function readMap(path) {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}
