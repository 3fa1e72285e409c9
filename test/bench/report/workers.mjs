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
      `${number(reach * 100)} %`,
    ]),
  );
  const head = ["", "", "requests/s", "CPU µs", "of it in the first process", "processors in use"];
  return `## Workers

2026-07-28, over 32 connections; in parentheses × one process. CPU is that of all processes of the server. The load
generator runs on the same machine: “processors in use” is the share that both together take of the processors that they
can take, which are one for each process that serves and one for the generator, as far as the machine has them.

${table(head, rows)}`;
}
