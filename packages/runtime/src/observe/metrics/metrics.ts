/**
 * Metrics for Prometheus: `@tenon/runtime/metrics`.
 * @module
 */
import type { ObservedServer, Observer } from "../../api/observer.js";
import { getMethodLabel } from "../../protocol/request-methods.js";
import { type Family, createGauge, Histogram, LabeledNumbers, formatMetrics } from "./families.js";
import { getProcessFamilies } from "./process-families.js";
import { getWorkerNumber } from "./worker-number.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

/** Upper limits of the duration buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The label for requests with a name that does not exist. */
const OTHER = "other";

/** The methods that call a handler, whose name becomes a label. */
const HANDLED: ReadonlySet<string> = new Set([
  "completion/complete",
  "prompts/get",
  "resources/read",
  "tools/call",
]);

/** Options of `metrics`. */
export interface MetricsOptions {
  /**
   * Serves the metrics at `/metrics` on a separate port while the server is served with `--http`. Where an application or a
   * Worker serves it instead, nothing listens, and the log says so. With `--workers`, the
   * first worker uses this port, the second the next one, and so on. Default: no port.
   */
  port?: number | undefined;
  /** The address of that port. Default: `127.0.0.1`. Any client that reaches it may read the metrics. */
  host?: string | undefined;
}

/** An observer that collects metrics. */
export interface Metrics extends Observer {
  /**
   * Returns the metrics in Prometheus' text format, for your own route.
   *
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
   */
  text(): string;
}

/**
 * Counts requests by method, name, and outcome, with their durations, requests in progress, open sessions and streams,
 * and the resources of the process. Every label has few values: unknown names are counted as `other`.
 *
 * @throws TypeError for an invalid port, or for a host without a port
 * @example
 * export default defineServer({ observe: [metrics({ port: 9464 })] });
 */
export function metrics(options: MetricsOptions = {}): Metrics {
  checkOptionNames<MetricsOptions>("metrics", options, { port: true, host: true });
  const { port, host } = options;
  if (host !== undefined && port === undefined)
    throw new TypeError(
      "metrics: `host` has no effect without `port`. Set the port on which to serve the metrics.",
    );
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new TypeError(`metrics: port must be a number from 0 to 65535 (got ${String(port)})`);
  }
  const calls = new LabeledNumbers();
  const durations = new Histogram(BUCKETS);
  const inProgress = new LabeledNumbers();
  const rejectedRequests = new LabeledNumbers();
  let server: ObservedServer | undefined;
  let isPortServed = port === undefined;

  const listFamilies = (): Family[] => {
    const { sessions, streams } = server?.counts() ?? { sessions: 0, streams: 0 };
    const { name = "", version = "" } = server?.info ?? {};
    return [
      calls.toFamily("counter", "mcp_server_calls_total", "Completed requests by outcome."),
      durations.toFamily("mcp_server_call_duration_seconds", "Durations of requests."),
      inProgress.toFamily("gauge", "mcp_server_calls_in_progress", "Requests in progress."),
      rejectedRequests.toFamily(
        "counter",
        "mcp_server_rejected_requests_total",
        "Requests over HTTP that were rejected before they became calls.",
      ),
      createGauge("mcp_server_sessions", "Open sessions.", sessions),
      createGauge("mcp_server_streams", "Open subscriptions/listen streams.", streams),
      createGauge("mcp_server_info", "Name and version of the server.", 1, { name, version }),
      ...getProcessFamilies(),
    ];
  };
  const text = (): string => formatMetrics(listFamilies());

  return {
    text,
    attach: (attached) => {
      server = attached;
    },
    requestRejected: ({ status, suppressedCount = 0 }) => {
      rejectedRequests.add({ status: String(status) }, 1);
      if (suppressedCount > 0) rejectedRequests.add({ status: OTHER }, suppressedCount);
    },
    observe: (call) => {
      if (!isPortServed && call.transport === "http") {
        isPortServed = true; // One entry is enough.
        const msg = `metrics({ port: ${port} }): nothing listens on this port, because the server was not started with --http. In an application or a Worker, serve text() of the observer from a route.`;
        server?.log({ level: "info", event: "metrics-not-served", msg });
      }
      const method = getMethodLabel(call.method, OTHER);
      inProgress.add({ method }, 1);
      return {
        end: ({ outcome, durationMs }) => {
          const name = HANDLED.has(method) ? (call.name ?? OTHER) : "";
          inProgress.add({ method }, -1);
          calls.add({ method, name, outcome }, 1);
          durations.record({ method, name }, durationMs / 1000);
        },
      };
    },
    ...(port !== undefined && {
      start: async () => {
        isPortServed = true;
        // Loaded only if a port is configured.
        const { listenForScrapes } = await import("./scrape-listener.js");
        const listener = await listenForScrapes({ host: host ?? "127.0.0.1", port: getOwnPort(port), text });
        const msg = `Metrics are served on ${listener.url}`;
        server?.log({ level: "info", event: "listening", msg, url: listener.url });
        return listener.close;
      },
    }),
  };
}

/** Returns the port of this worker. */
function getOwnPort(port: number): number {
  return port === 0 ? 0 : port + (getWorkerNumber() ?? 1) - 1;
}
