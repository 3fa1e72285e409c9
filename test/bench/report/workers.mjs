import { number, table, withRatio } from "./numbers.mjs";

/** @param {Map<string, Map<number, import("../measures/workers.mjs").WorkersSample>>} loads */
export function workersTable(loads) {
  const rows = [...loads].flatMap(([load, samples]) =>
    [...samples].map(([workers, { perSecond, cpu, firstCpu, reach }]) => [
      load,
      workers === 0 ? "one process" : `--workers ${workers}`,
      withRatio(perSecond, samples.get(0)?.perSecond),
      withRatio(cpu, samples.get(0)?.cpu),
      workers === 0 ? "" : number(firstCpu),
      `${number(reach * 100)}%`,
    ]),
  );
  const head = ["", "", "requests/s", "CPU µs", "CPU µs in the first process", "processors in use"];
  return `## Workers

Over 32 connections, at 2026-07-28 except for sessions. Ratios to one process are in parentheses. CPU is the time of all processes of the server.
The load generator runs on the same machine. “Processors in use” is the share that server and generator use of the
processors available to them: one for each serving process and one for the generator, up to the number of the machine.

${table(head, rows)}`;
}
