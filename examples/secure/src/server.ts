import { defineServer } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";
import { audit, jsonLog } from "@tenon/runtime/log";
import { telemetry } from "@tenon/runtime/telemetry";
import { protectClosedBooks } from "./closed-books.js";
import { Expenses } from "./expenses.js";
import { Ledger } from "./ledger.js";

const ledger = new Ledger();

export default defineServer({
  title: "Expenses",
  provide: [new Expenses(ledger)],

  // Authentication, and the scopes that can be granted.
  auth: oauth({
    issuer: process.env["ISSUER"] ?? "http://localhost:4000",
    resource: process.env["RESOURCE"] ?? "http://localhost:3000/mcp",
    scopes: {
      "expenses:read": {},
      "expenses:write": { implies: ["expenses:read"] },
      "expenses:approve": { implies: ["expenses:read"] },
    },
    initialScopes: ["expenses:read"],
  }),
  // Over stdio there is no login: the caller is the user who started the server.
  stdio: {
    principal: { subject: "me", scopes: ["expenses:write", "expenses:approve"], claims: { role: "manager" } },
  },

  // Limits.
  rateLimit: { calls: 60, windowMs: 60_000 },
  limits: { maxConcurrentCallsPerCaller: 4, callTimeoutMs: 10_000 },

  // Rules for every change.
  use: [protectClosedBooks(ledger)],

  // Logs of problems and of every call. `telemetry.mjs` configures where telemetry is sent.
  log: jsonLog(),
  observe: [audit(), telemetry()],
});
