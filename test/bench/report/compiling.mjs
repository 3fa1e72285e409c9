/**
 * The tables of what compiling costs.
 * @module
 */
import { number, table, times, withRatio } from "./numbers.mjs";

/** @typedef {import("../measures/compile.mjs").CompilePoint} CompilePoint */
/** @typedef {import("../scratch/run.mjs").Cost} Cost */

const COMMANDS = ["tsc --noEmit", "tenon inspect", "tenon build", "without TypeScript 7"];

/** @param {CompilePoint[]} points */
export function compileTable(points) {
  const insideOne = points.map(({ tools, coldMs, againMs }) => [
    String(tools),
    number(coldMs),
    `${number(againMs)} (${times(againMs, coldMs)})`,
  ]);
  return `## Compiling

Projects whose tools have parameter types of their own (nested, unions, tuples, mapped, recursive); ms from spawn
to exit, in parentheses × \`tsc --noEmit\` of TypeScript 6.0 on the same project. \`tenon build\` stands for a project
as \`tenon create\` makes it, with TypeScript 7 beside it: its native compiler checks the types, in a process of its
own. In the last column it is not installed, and TypeScript 6.0 checks them. \`tenon\` finds what V8 has made of
TypeScript's code in an earlier run, as a developer does; of the project it knows nothing.

${costs(points, (cost) => cost.ms)}

CPU in ms (with that of the native compiler, without that of esbuild):

${costs(points, (cost) => cost.cpuMs)}

Peak resident memory in MiB, of the process that was started alone:

${costs(points, (cost) => cost.peakMebibytes)}

Inside one process, in ms: the first compilation, and the next after an edit that changes a type (× the first).

${table(["tools", "first compilation", "again after an edit"], insideOne)}`;
}

/** @param {CompilePoint[]} points @param {(cost: Cost) => number} figure */
function costs(points, figure) {
  const rows = points.map(({ tools, tsc, inspect, build, buildAlone }) => {
    const others = [inspect, build, buildAlone].map((cost) => withRatio(figure(cost), figure(tsc)));
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
