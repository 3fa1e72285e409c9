/**
 * The tables of the costs of compiling.
 * @module
 */
import { number, table, times, withRatio } from "./numbers.mjs";

/** @typedef {import("../measures/compile.mjs").CompilePoint} CompilePoint */
/** @typedef {import("../scratch/run.mjs").Cost} Cost */

const COMMANDS = ["tsc --noEmit", "tenon inspect", "tenon inspect again", "tenon build"];

/** @param {CompilePoint[]} points */
export function compileTable(points) {
  const insideOne = points.map(({ tools, coldMs, againMs }) => [
    String(tools),
    number(coldMs),
    `${number(againMs)} (${times(againMs, coldMs)})`,
  ]);
  return `## Compiling

Projects in which each tool has its own parameter types (nested, unions, tuples, mapped, recursive). Time from spawn to
exit in ms; ratios to \`tsc --noEmit\` of TypeScript 6.0 on the same project are in parentheses. The second \`tenon inspect\` reuses
the compilation of the first; the other commands have no cache.

${costs(points, (cost) => cost.ms)}

CPU time in ms, without esbuild:

${costs(points, (cost) => cost.cpuMs)}

Peak resident memory in MiB, without esbuild:

${costs(points, (cost) => cost.peakMebibytes)}

Compilation time inside one process, in ms: the first, and the next after an edit that changes a type (× the first).

${table(["tools", "first compilation", "after an edit"], insideOne)}`;
}

/** @param {CompilePoint[]} points @param {(cost: Cost) => number} figure */
function costs(points, figure) {
  const rows = points.map(({ tools, tsc, inspect, reused, build }) => {
    const others = [inspect, reused, build].map((cost) => withRatio(figure(cost), figure(tsc)));
    return [String(tools), number(figure(tsc)), ...others];
  });
  return table(["tools", ...COMMANDS], rows);
}

/** @param {import("../measures/commands.mjs").CommandCosts} measured */
export function commandsTable({ tools, empty, tsc, commands }) {
  const rows = [...commands].flatMap(([name, { cold, unchanged, edited }]) => [
    costRow(`${name}, first`, cold, [empty, tsc]),
    costRow(`${name}, unchanged`, unchanged, [empty, tsc]),
    costRow(`${name}, edited`, edited, [empty, tsc]),
  ]);
  return `## Commands

Time of a command in a project of ${tools} tools, from spawn to exit in ms, and its CPU time in ms, without esbuild and other processes. Ratios to
an empty script and to \`tsc --noEmit\` are in parentheses. "first" has no earlier compilation, "unchanged" reuses the last one,
and "edited" runs immediately after an edit, while \`tenon dev\` serves the project.

${table(["", "time", "CPU time"], [costRow("an empty script", empty), costRow("tsc --noEmit", tsc), ...rows])}`;
}

/** @param {string} label @param {Cost} cost @param {readonly Cost[]} [bases] the costs that the ratios refer to */
function costRow(label, cost, bases = []) {
  const withRatios = (/** @type {(cost: Cost) => number} */ figure) => {
    const ratios = bases.map((base) => times(figure(cost), figure(base)));
    return `${number(figure(cost))}${ratios.length > 0 ? ` (${ratios.join(", ")})` : ""}`;
  };
  return [label, withRatios(({ ms }) => ms), withRatios(({ cpuMs }) => cpuMs)];
}

/** @param {import("../measures/dev-rebuild.mjs").DevRebuild} measured */
export function devTable({ tools, bodyMs, typeMs, slowestMs }) {
  return `## tenon dev

Time from saving a file in a project of ${tools} tools to the first response of the new code over stdio, in ms.

${table(["tools", "method body changed", "type changed", "slowest"], [[String(tools), number(bodyMs), number(typeMs), number(slowestMs)]])}`;
}
