/**
 * The tables of what compiling costs.
 * @module
 */
import { number, table, times, withRatio } from "./numbers.mjs";

/** @typedef {import("../measures/compile.mjs").CompilePoint} CompilePoint */
/** @typedef {import("../scratch/run.mjs").Cost} Cost */

const COMMANDS = ["tsc --noEmit", "tenon inspect", "tenon build"];

/** @param {CompilePoint[]} points */
export function compileTable(points) {
  const insideOne = points.map(({ tools, coldMs, againMs }) => [
    String(tools),
    number(coldMs),
    `${number(againMs)} (${times(againMs, coldMs)})`,
  ]);
  return `## Compiling

Projects whose tools have parameter types of their own (nested, unions, tuples, mapped, recursive); ms from spawn
to exit, in parentheses × \`tsc --noEmit\` of TypeScript 6.0 on the same project, where each command begins from nothing.

${costs(points, (cost) => cost.ms)}

CPU in ms (without that of esbuild):

${costs(points, (cost) => cost.cpuMs)}

Peak resident memory in MiB, without esbuild:

${costs(points, (cost) => cost.peakMebibytes)}

Inside one process, in ms: the first compilation, and the next after an edit that changes a type (× the first).

${table(["tools", "first compilation", "again after an edit"], insideOne)}`;
}

/** @param {CompilePoint[]} points @param {(cost: Cost) => number} figure */
function costs(points, figure) {
  const rows = points.map(({ tools, tsc, inspect, build }) => {
    const others = [inspect, build].map((cost) => withRatio(figure(cost), figure(tsc)));
    return [String(tools), number(figure(tsc)), ...others];
  });
  return table(["tools", ...COMMANDS], rows);
}

/** @param {import("../measures/dev-rebuild.mjs").DevRebuild} measured */
export function devTable({ tools, bodyMs, typeMs, slowestMs }) {
  return `## tenon dev

From saving a file of a project of ${tools} tools to the first answer of the new code over stdio, in ms.

${table(["tools", "a body changed", "a type changed", "slowest"], [[String(tools), number(bodyMs), number(typeMs), number(slowestMs)]])}`;
}
