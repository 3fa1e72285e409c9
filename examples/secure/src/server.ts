import { defineServer } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";
import { audit, jsonLog } from "@tenon/runtime/log";
import { telemetry } from "@tenon/runtime/telemetry";
import { closedBooks } from "./closed-books.js";
import { Expenses } from "./expenses.js";
import { Ledger } from "./ledger.js";

const ledger = new Ledger();

export default defineServer({
  title: "Expenses",
  provide: [new Expenses(ledger)],

  // Who calls, and what there is to be granted.
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
  // Over stdio there is no login: it is whoever started the server.
  stdio: {
    principal: { subject: "me", scopes: ["expenses:write", "expenses:approve"], claims: { role: "manager" } },
  },

  // How much of it.
  rateLimit: { calls: 60, windowMs: 60_000 },
  limits: { callsPerCaller: 4, callMs: 10_000 },

  // What has to be so before anything changes.
  use: [closedBooks(ledger)],

  // What is written down: problems, and every call. Telemetry goes where the process says that loads it.
  log: jsonLog(),
  observe: [audit(), telemetry()],
});
