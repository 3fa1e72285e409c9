import { defineServer } from "@tenon/runtime";
import { jsonLog } from "@tenon/runtime/log";
import { redis } from "@tenon/runtime/redis";
import { BoxOffice } from "./box-office.js";
import { redisClient } from "./redis-client.js";
import { Sales } from "./sales.js";

const { REDIS_WAIT, CALLS_PER_MINUTE, ALLOWED_HOSTS, SHUTDOWN_DELAY_MS } = process.env;

export default defineServer({
  title: "Box office",
  provide: [new BoxOffice(new Sales(redisClient))],

  // The state that all replicas share: sessions, streams, subscriptions, answers, tasks, rate limits.
  store: redis(redisClient, { waitReplicas: Number(REDIS_WAIT ?? 0) }),

  // The limit for one caller at all replicas together.
  rateLimit: { calls: Number(CALLS_PER_MINUTE ?? 300), windowMs: 60_000 },

  http: {
    allowedHosts: ALLOWED_HOSTS?.split(","),
    // The proxy sends the caller's address in X-Forwarded-For.
    trustedProxies: ["loopback", "private"],
    // The health checks do not depend on Redis: if it were down, no replica would be ready to respond with an error. The delay
    // gives the proxy time to stop sending requests.
    health: { shutdownDelayMs: Number(SHUTDOWN_DELAY_MS ?? 0) },
  },
  log: jsonLog(),
});
