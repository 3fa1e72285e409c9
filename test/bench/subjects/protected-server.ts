import { defineServer } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";
import { audit, jsonLog } from "@tenon/runtime/log";
import { telemetry } from "@tenon/runtime/telemetry";

/** The protections that are on. */
const on = new Set((process.env["BENCH_PROTECTIONS"] ?? "").split(","));

const issuer = "https://login.example.com";
const resource = "https://mcp.example.com/mcp";

/** Each token is verified once: the measurement covers the calls after that. */
const auth = oauth({
  issuer,
  resource,
  scopes: { "numbers:read": {}, "numbers:write": { implies: ["numbers:read"] } },
  verify: async (token) => ({
    iss: issuer,
    aud: resource,
    sub: token,
    exp: Math.floor(Date.now() / 1000) + 3600,
    scope: "numbers:write",
    client_id: "bench",
  }),
});

export default defineServer({
  ...(on.has("auth") && { auth }),
  ...(on.has("rate limit") && { rateLimit: { calls: 1_000_000_000, windowMs: 60_000 } }),
  ...(on.has("middleware") && { use: [(_call, next) => next()] }),
  ...(on.has("audit") && { log: jsonLog() }),
  observe: [...(on.has("audit") ? [audit()] : []), ...(on.has("telemetry") ? [telemetry()] : [])],
});
