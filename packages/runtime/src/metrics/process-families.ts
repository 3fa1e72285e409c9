import type { Family } from "./families.js";

/** What the process takes, under the names that Prometheus' clients have for it. */
export function processFamilies(): Family[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const gauge = (name: string, help: string, value: number): Family => ({
    name,
    type: "gauge",
    help,
    samples: [{ value }],
  });
  return [
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Processor time in seconds.",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_resident_memory_bytes", "Memory that the process holds.", rss),
    gauge(
      "process_start_time_seconds",
      "When the process started, since 1970.",
      performance.timeOrigin / 1000,
    ),
    gauge("nodejs_heap_size_used_bytes", "Memory that objects take.", heapUsed),
    gauge("nodejs_heap_size_total_bytes", "Memory that is there for objects.", heapTotal),
  ];
}
