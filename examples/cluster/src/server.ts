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

  // What all replicas share: sessions, streams, subscribers, answers, tasks, rate limits.
  store: redis(redisClient, { waitReplicas: Number(REDIS_WAIT ?? 0) }),

  // What one caller may do, at all replicas together.
  rateLimit: { calls: Number(CALLS_PER_MINUTE ?? 300), windowMs: 60_000 },

  http: {
    allowedHosts: ALLOWED_HOSTS?.split(","),
    // The proxy in front says who calls.
    trustedProxies: ["loopback", "private"],
    // Without a look at Redis: while that is away, every replica would be said not to be ready, and nobody would be left to
    // say so. How long it takes until the proxy sends nobody any more is the only thing to know.
    health: { shutdownDelayMs: Number(SHUTDOWN_DELAY_MS ?? 0) },
  },
  log: jsonLog(),
});
