import { existsSync } from "node:fs";
import { defineServer } from "@tenon/runtime";
import { jsonLog } from "@tenon/runtime/log";
import { access } from "./access.js";
import { NoteStore } from "./note-store.js";
import { Notes } from "./notes.js";

// On the machine of a developer; what the environment says already stays.
if (existsSync(".env")) process.loadEnvFile();

const { ALLOWED_HOSTS = "", NODE_ENV } = process.env;

export default defineServer({
  instructions: "Notes of the caller. List them before you refer to one by its number.",
  provide: [new Notes(new NoteStore())],

  // Over HTTP, callers show who they are. Over stdio it is whoever has started the server.
  auth: access(process.env),
  stdio: { principal: { subject: "me", scopes: ["notes:write"] } },

  // /healthz and /readyz answer without any credentials. Add `health: { ready }` to ask a database, for example.
  http: { allowedHosts: ALLOWED_HOSTS.split(",").filter(Boolean) },
  rateLimit: { calls: 120, windowMs: 60_000 },
  log: NODE_ENV === "production" ? jsonLog() : "info",
});
