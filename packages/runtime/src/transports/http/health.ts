/**
 * Whether the process is alive, and whether it takes calls: for orchestrators and load balancers, which call by address
 * and show no credentials. So nothing is told but that.
 * @module
 */
import type { HealthConfig } from "../../api/define-server.js";
import { createReport, type InternalErrorReporter } from "../../connection/internal-errors.js";
import { withTimeout } from "../with-timeout.js";
import type { ExchangeHandler, HttpExchange } from "./exchange/exchange.js";

/** A check of the author's that takes longer says no. */
const READY_WITHIN_MS = 5000;

/** The author's check runs at most so often, however often anybody asks. */
const READY_EVERY_MS = 1000;

export interface HealthChecks {
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  /** From here on the server is not ready. */
  beginShutdown(): void;
}

/** @throws TypeError for a configuration that cannot be meant */
export function createHealthChecks(
  config: HealthConfig | false,
  onInternalError: InternalErrorReporter,
): HealthChecks {
  if (config === false) return { handlers: new Map(), beginShutdown: () => {} };
  const { livePath = "/healthz", readyPath = "/readyz", ready } = config;
  checkHealthConfig({ ...config, livePath, readyPath });
  const check = ready === undefined ? () => Promise.resolve(true) : sparingly(ready, onInternalError);
  let isShutDown = false;
  return {
    handlers: new Map<string, ExchangeHandler>([
      [livePath, (exchange) => answer(exchange, true)],
      [
        readyPath,
        (exchange) => {
          if (isShutDown) return answer(exchange, false);
          void check().then((isReady) => answer(exchange, isReady && !isShutDown));
        },
      ],
    ]),
    beginShutdown: () => {
      isShutDown = true;
    },
  };
}

function checkHealthConfig({ livePath, readyPath, ready, shutdownDelayMs = 0 }: HealthConfig): void {
  if (ready !== undefined && typeof ready !== "function") {
    throw new TypeError("http.health.ready must be a function that says whether the server can be called");
  }
  if (livePath === readyPath) {
    throw new TypeError(`http.health.livePath and readyPath are both ${livePath}`);
  }
  if (!(Number.isFinite(shutdownDelayMs) && shutdownDelayMs >= 0)) {
    throw new TypeError(
      `http.health.shutdownDelayMs must be a number from 0 (got ${String(shutdownDelayMs)})`,
    );
  }
}

/** The author's check, one run for all that ask meanwhile: anybody can ask, and a check may be costly. */
function sparingly(
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
      // Orchestrators ask every few seconds; the first failure in a row says it all.
      if (!hasFailed) onInternalError(createReport("http.health.ready", error));
      hasFailed = true;
    }
    nextAt = performance.now() + READY_EVERY_MS;
    running = undefined;
    return wasReady;
  };
  return async () => {
    if (running === undefined && performance.now() < nextAt) return wasReady;
    const current = (running ??= run());
    return (await withTimeout(READY_WITHIN_MS, current)) && current;
  };
}

function answer(exchange: HttpExchange, isWell: boolean): void {
  const { headers, method } = exchange;
  headers["content-type"] = "text/plain";
  headers["cache-control"] = "no-store";
  if (method !== "GET" && method !== "HEAD") {
    headers.allow = "GET, HEAD";
    return exchange.respond(405, "Use GET.\n");
  }
  exchange.respond(isWell ? 200 : 503, method === "GET" ? (isWell ? "ok\n" : "unavailable\n") : undefined);
}
