import { cpus, loadavg, release, totalmem, type } from "node:os";

/** Returns the conditions that the numbers depend on, one per line. @param {Record<string, string>} versions @returns {string[]} */
export function machineLines(versions) {
  const processors = cpus();
  const memory = (totalmem() / 1024 ** 3).toFixed(1);
  return [
    `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}, ${memory} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node} (V8 ${process.versions.v8})`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
  ];
}

/** Returns the load average of the last minute. Measurements are best on an idle machine. */
export function loadAverage() {
  return loadavg()[0] ?? Number.NaN;
}
