/**
 * Liveness and readiness for orchestrators and load balancers. These send no credentials, so anyone can make the
 * requests, and the responses reveal only the state.
 * @module
 */
import type { HealthConfig } from "../../api/http-config.js";
import { createReport, type InternalErrorReporter } from "../../data/results/internal-error.js";
import { withTimeout } from "../with-timeout.js";
import type { ExchangeHandler, HttpExchange } from "./exchange/exchange.js";

/** The time after which the author's check counts as failed, in milliseconds. */
const READY_TIMEOUT_MS = 5000;

/** The minimum time between two runs of the author's check, in milliseconds. */
const MIN_READY_INTERVAL_MS = 1000;

export interface HealthChecks {
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  /** Reports from now on that the server is not ready. */
  beginShutdown(): void;
}

/**
 * Creates the health checks of a server.
 *
 * @throws TypeError if both paths are the same
 */
export function createHealthChecks(
  config: HealthConfig | false,
  onInternalError: InternalErrorReporter,
): HealthChecks {
  if (config === false) return { handlers: new Map(), beginShutdown: () => {} };
  const { livePath = "/healthz", readyPath = "/readyz", ready } = config;
  if (livePath === readyPath) {
    throw new TypeError(`http.health.livePath and readyPath are both ${livePath}; use different paths`);
  }
  const check = ready === undefined ? () => Promise.resolve(true) : throttleCheck(ready, onInternalError);
  let isShutDown = false;
  return {
    handlers: new Map<string, ExchangeHandler>([
      [livePath, (exchange) => respond(exchange, true)],
      [
        readyPath,
        (exchange) => {
          if (isShutDown) return respond(exchange, false);
          void check().then((isReady) => respond(exchange, isReady && !isShutDown));
        },
      ],
    ]),
    beginShutdown: () => {
      isShutDown = true;
    },
  };
}

/**
 * Shares one run of the author's check among all requests that arrive during it and shortly after, since any client can
 * send them and a check may be costly.
 */
function throttleCheck(
  ready: NonNullable<HealthConfig["ready"]>,
  onInternalError: InternalErrorReporter,
): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  let hasFailed = false;
  let wasReady = false;
  let nextAt = 0;
  const run = async (): Promise<boolean> => {
    try {
      wasReady = (await ready()) === true;
      hasFailed = false;
    } catch (error) {
      wasReady = false;
      // Orchestrators poll every few seconds, so only the first failure in a row is logged.
      if (!hasFailed) onInternalError(createReport("http.health.ready", error));
      hasFailed = true;
    }
    nextAt = performance.now() + MIN_READY_INTERVAL_MS;
    running = undefined;
    return wasReady;
  };
  return async () => {
    if (running === undefined && performance.now() < nextAt) return wasReady;
    const current = (running ??= run());
    return (await withTimeout(READY_TIMEOUT_MS, current)) && current;
  };
}

function respond(exchange: HttpExchange, isHealthy: boolean): void {
  const { headers, method } = exchange;
  headers["content-type"] = "text/plain";
  headers["cache-control"] = "no-store";
  if (method !== "GET" && method !== "HEAD") {
    headers.allow = "GET, HEAD";
    return exchange.respond(405, "Use GET.\n");
  }
  exchange.respond(
    isHealthy ? 200 : 503,
    method === "GET" ? (isHealthy ? "ok\n" : "unavailable\n") : undefined,
  );
}
