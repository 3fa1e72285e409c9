import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildProject } from "@tenon/cli";

const root = join(import.meta.dirname, "../../examples/everything");

/**
 * Builds the everything server as its author does, and serves it over HTTP on a free port.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function startEverything(env = process.env) {
  const { compilation } = await buildProject({ root });
  const errors = compilation.diagnostics.filter((each) => each.severity === "error");
  if (errors.length > 0) throw new Error(`The example does not build:\n${JSON.stringify(errors, null, 2)}`);

  const child = spawn(process.execPath, [join(root, "dist/server.js"), "--http", "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env,
  });
  const exited = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(found[0]);
    });
    child.once("exit", () => reject(new Error(`The server did not start:\n${output}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
