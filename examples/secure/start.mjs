/** Starts the authorization server, and the built MCP server as in production. */
import { spawn } from "node:child_process";
import { startAuthorizationServer } from "./login/authorization-server.mjs";

const resource = "http://localhost:3000/mcp";
const { issuer, http } = await startAuthorizationServer(4000, resource);
const server = spawn(
  process.execPath,
  ["--import", "./telemetry.mjs", "dist/server.js", "--http", "--port", "3000"],
  {
    cwd: import.meta.dirname,
    stdio: "inherit",
    env: { ...process.env, ISSUER: issuer, RESOURCE: resource },
  },
);
server.on("exit", (code) => {
  http.close();
  http.closeAllConnections();
  process.exitCode = code ?? 1;
});
process.on("SIGINT", () => server.kill("SIGINT"));
process.on("SIGTERM", () => server.kill("SIGTERM"));
console.error(`Log in at ${issuer} as ada (manager) or any other name (employee), with any password.`);
console.error(`Connect to ${resource}, or run the whole flow: npm run flow\n`);
