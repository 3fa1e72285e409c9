/**
 * The tables of what compiling costs.
 * @module
 */
import { number, table, times, withRatio } from "./numbers.mjs";

/** @param {import("../measures/compile.mjs").CompilePoint[]} points */
export function compileTable(points) {
  const durations = points.map(({ tools, tsc, inspect, build, coldMs, againMs }) => [
    String(tools),
    number(tsc.ms),
    withRatio(inspect.ms, tsc.ms),
    withRatio(build.ms, tsc.ms),
    number(coldMs),
    `${number(againMs)} (${times(againMs, coldMs)})`,
  ]);
  const cpu = points.map(({ tools, tsc, inspect, build }) => [
    String(tools),
    number(tsc.cpuMs),
    withRatio(inspect.cpuMs, tsc.cpuMs),
    withRatio(build.cpuMs, tsc.cpuMs),
  ]);
  const memory = points.map(({ tools, tsc, inspect, build }) => [
    String(tools),
    number(tsc.peakMebibytes),
    withRatio(inspect.peakMebibytes, tsc.peakMebibytes),
    withRatio(build.peakMebibytes, tsc.peakMebibytes),
  ]);
  const head = [
    "tools",
    "tsc --noEmit",
    "tenon inspect",
    "tenon build",
    "first compilation",
    "again after an edit",
  ];
  return `## Compiling

Projects whose tools have parameter types of their own (nested, unions, tuples, mapped, recursive); ms from spawn
to exit, in parentheses × \`tsc --noEmit\` of TypeScript 6.0 on the same project. The last two columns are taken
inside one process: the first compilation, and the next after an edit that changes a type (× the first). \`tenon\`
finds what V8 has made of TypeScript's code in an earlier run, as a developer does; of the project it knows nothing.

${table(head, durations)}

CPU in ms (without that of esbuild, which is a process of its own):

${table(["tools", "tsc --noEmit", "tenon inspect", "tenon build"], cpu)}

Peak resident memory in MiB:

${table(["tools", "tsc --noEmit", "tenon inspect", "tenon build"], memory)}`;
}

/** @param {import("../measures/dev-rebuild.mjs").DevRebuild} measured */
export function devTable({ tools, bodyMs, typeMs, slowestMs }) {
  return `## tenon dev

From saving a file of a project of ${tools} tools to the first answer of the new code over stdio, in ms.

${table(["tools", "a body changed", "a type changed", "slowest"], [[String(tools), number(bodyMs), number(typeMs), number(slowestMs)]])}`;
}
