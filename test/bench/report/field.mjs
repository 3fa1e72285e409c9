import { number, table, times, withRatio } from "./numbers.mjs";

/** @param {Map<string, Map<number, import("../measures/field.mjs").FieldSample>>} subjects */
export function fieldTable(subjects) {
  const counts = [...(subjects.values().next().value?.keys() ?? [])];
  const rows = counts.flatMap((workers) => {
    const published = subjects.get("as published")?.get(workers);
    return [...subjects].map(([name, samples]) => {
      const sample = samples.get(workers);
      const raw = subjects.get(name.replace("Tenon", "raw"))?.get(workers);
      return [
        name,
        workers === 0 ? "one" : `${workers} workers`,
        withRatio(sample?.perSecond, published?.perSecond),
        number(sample?.cpu),
        times(published?.cpu, sample?.cpu),
        name.startsWith("Tenon") ? times(raw?.cpu, sample?.cpu) : "",
        number(sample?.p50),
        number(sample?.p99),
        number(sample?.mebibytes),
      ];
    });
  });
  const head = [
    "",
    "processes",
    "requests/s",
    "CPU µs",
    "× published per CPU second",
    "× raw",
    "p50 ms",
    "p99 ms",
    "RSS MiB",
  ];
  return `## Three tools over Redis and an HTTP API

The workload of “MCP Server Performance Benchmark v2” by TM Dev Lab, which compares 15 implementations: Rust 4,845, Go 3,616,
Bun 876, Node 423, and Python 259 requests/s. Fifty users initialize at 2024-11-05 before each request, and pause for 50 ms
after each round: \`search_products\`, \`get_user_cart\`, \`checkout\`, and \`tools/list\`. As there, requests are the
\`initialize\`, calls, and lists, and percentiles are of calls. “As published” is the Node server of that benchmark, rebuilt: SDK
1.26.0 on Express with four workers and no sessions.

Compare only ratios to that server: the hardware differs, and here the load generator, Redis, and the API share the
processors with the server. CPU is the time of all processes of the server per request. All servers run the same tools; they
call the API with \`fetch\`, or with \`request\` of undici. Those with sessions do the latter, and end each
session; the others have none, as published.

${table(head, rows)}`;
}
