/**
 * Counts for Prometheus: `@tenon/runtime/metrics`.
 * @module
 */
import type { ObservedServer, Observer } from "../api/observer.js";
import { countedMethod } from "../protocol/request-methods.js";
import { type Family, Histogram, LabelledNumbers, metricsText } from "./families.js";
import { processFamilies } from "./process-families.js";
import { workerNumber } from "../workers/worker-number.js";

/** In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What is counted under it was asked for under a name that there is not. */
const OTHER = "other";

const HANDLED: ReadonlySet<string> = new Set([
  "completion/complete",
  "prompts/get",
  "resources/read",
  "tools/call",
]);

export interface MetricsOptions {
  /**
   * Serves them at `/metrics` on a port of their own while the server is served over HTTP. Of several `--workers`, the
   * first serves its counts there, the second on the port after, and so on. Default: nowhere.
   */
  port?: number;
  /** The address of that port. Default `127.0.0.1`: whoever reaches it may read them. */
  host?: string;
}

/** An observer that counts. */
export interface Metrics extends Observer {
  /**
   * The counts so far, in Prometheus' text format, for a route of your own.
   *
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
   */
  text(): string;
}

/**
 * Counts requests by method, name and outcome, with their durations, those in progress, open sessions and streams, and what
 * the process takes. Every label has few values: a name that is not served is counted as `other`.
 *
 * @throws TypeError for a port that is none
 * @example
 * export default defineServer({ observe: [metrics({ port: 9464 })] });
 */
export function metrics({ port, host = "127.0.0.1" }: MetricsOptions = {}): Metrics {
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new TypeError(`metrics: port must be a number from 0 to 65535 (got ${String(port)})`);
  }
  const calls = new LabelledNumbers(["method", "name", "outcome"]);
  const durations = new Histogram(["method", "name"], BUCKETS);
  const inProgress = new LabelledNumbers(["method"]);
  const refusedRequests = new LabelledNumbers(["status"]);
  let server: ObservedServer | undefined;

  const families = (): Family[] => {
    const { sessions, streams } = server?.open() ?? { sessions: 0, streams: 0 };
    return [
      {
        name: "mcp_server_calls_total",
        type: "counter",
        help: "Requests that have ended, by how they did.",
        samples: calls.samples(),
      },
      {
        name: "mcp_server_call_duration_seconds",
        type: "histogram",
        help: "How long requests took.",
        samples: durations.samples(),
      },
      {
        name: "mcp_server_calls_in_progress",
        type: "gauge",
        help: "Requests that are not answered yet.",
        samples: inProgress.samples(),
      },
      {
        name: "mcp_server_refused_requests_total",
        type: "counter",
        help: "Requests over HTTP that were refused before they became calls.",
        samples: refusedRequests.samples(),
      },
      {
        name: "mcp_server_sessions",
        type: "gauge",
        help: "Open sessions of clients that have any.",
        samples: [{ value: sessions }],
      },
      {
        name: "mcp_server_streams",
        type: "gauge",
        help: "Requests that last until somebody ends them.",
        samples: [{ value: streams }],
      },
      {
        name: "mcp_server_info",
        type: "gauge",
        help: "What is served.",
        samples: [{ labels: { name: server?.info.name, version: server?.info.version }, value: 1 }],
      },
      ...processFamilies(),
    ];
  };
  const text = (): string => metricsText(families());

  return {
    text,
    attach: (attached) => {
      server = attached;
    },
    refused: ({ status, more = 0 }) => {
      refusedRequests.add([String(status)], 1);
      if (more > 0) refusedRequests.add([OTHER], more);
    },
    observe: (call) => {
      const method = countedMethod(call.method, OTHER);
      inProgress.add([method], 1);
      return {
        end: ({ outcome, durationMs }) => {
          const name = HANDLED.has(method) ? (call.name ?? OTHER) : "";
          inProgress.add([method], -1);
          calls.add([method, name, outcome], 1);
          durations.record([method, name], durationMs / 1000);
        },
      };
    },
    ...(port !== undefined && {
      start: async () => {
        // Loaded only where it is asked for.
        const { listenForScrapes } = await import("./scrape-listener.js");
        const listener = await listenForScrapes({ host, port: ownPort(port), text });
        const msg = `Metrics are served on ${listener.url}`;
        server?.log({ level: "info", event: "listening", msg, url: listener.url });
        return listener.close;
      },
    }),
  };
}

/** One for each worker. */
function ownPort(port: number): number {
  return port === 0 ? 0 : port + (workerNumber() ?? 1) - 1;
}
