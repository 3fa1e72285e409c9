import { type Family, createGauge } from "./families.js";

/** Returns the resource usage of the process, with the names of Prometheus' client libraries. */
export function getProcessFamilies(): Family[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpu = createGauge("process_cpu_seconds_total", "Processor time in seconds.", (user + system) / 1e6);
  const start = performance.timeOrigin / 1000;
  return [
    { ...cpu, type: "counter" },
    createGauge("process_resident_memory_bytes", "Resident memory of the process.", rss),
    createGauge("process_start_time_seconds", "Start time of the process in seconds since 1970.", start),
    createGauge("nodejs_heap_size_used_bytes", "Heap memory in use.", heapUsed),
    createGauge("nodejs_heap_size_total_bytes", "Allocated heap memory.", heapTotal),
  ];
}
