import { existsSync } from "node:fs";
import { defineServer } from "@tenon/runtime";
import { jsonLog } from "@tenon/runtime/log";
import { createAuthentication } from "./access.js";
import { NoteStore } from "./note-store.js";
import { Notes } from "./notes.js";

// For development. Variables that are already set take precedence.
if (existsSync(".env")) process.loadEnvFile();

const { ALLOWED_HOSTS = "", NODE_ENV } = process.env;

export default defineServer({
  instructions: "The caller's notes. List them before you refer to one by its number.",
  provide: [new Notes(new NoteStore())],

  // Callers authenticate over HTTP. Over stdio, the caller is the user who started the server.
  auth: createAuthentication(process.env),
  stdio: { principal: { subject: "me", scopes: ["notes:write"] } },

  // /healthz and /readyz require no credentials. Add `health: { ready }` to check a database, for example.
  http: { allowedHosts: ALLOWED_HOSTS.split(",").filter(Boolean) },
  rateLimit: { calls: 120, windowMs: 60_000 },
  log: NODE_ENV === "production" ? jsonLog() : "info",
});
