import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

/** @import { Held } from "../../fuzz/drive/server-process.mjs" */

const PRELOAD = pathToFileURL(join(import.meta.dirname, "preload.mjs")).href;

/** A compiled server in a process that can be killed and started again, at the same address. */
export class ReplicaProcess {
  #program;
  #environment;
  #port = "0";
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  /** Everything that it has logged, including before restarts. */
  stderr = "";

  /** @param {string} program @param {NodeJS.ProcessEnv} environment */
  constructor(program, environment) {
    this.#program = program;
    this.#environment = environment;
  }

  /** The address on which it listens, or last listened. */
  get url() {
    return new URL(`http://127.0.0.1:${this.#port}/mcp`);
  }

  get pid() {
    return this.#child?.pid ?? 0;
  }

  get isAlive() {
    return this.#child !== undefined;
  }

  /** Starts or restarts the replica. Resolves when it listens. */
  async start() {
    const args = ["--expose-gc", "--import", PRELOAD, this.#program, "--http", "--port", this.#port];
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: this.#environment,
    });
    this.#child = child;
    const [exited] = [once(child, "exit"), child.once("exit", () => (this.#child = undefined))];
    let logged = "";
    const { stderr } = /** @type {{ stderr: import("node:stream").Readable }} */ (child);
    stderr.setEncoding("utf8").on("data", (text) => {
      logged += text;
      this.stderr += text;
    });
    for (;;) {
      const [, port] = / listens on http:\/\/[^\s/]+:(\d+)/.exec(logged) ?? [];
      if (port !== undefined) return void (this.#port = port);
      if (this.#child === undefined) throw new Error(`The server did not start: ${logged}`);
      await Promise.race([once(stderr, "data"), exited]);
    }
  }

  /** Kills the replica. */
  async kill() {
    await this.#end("SIGKILL");
  }

  /** Shuts down the replica, and waits until it has exited. */
  async stop() {
    await this.#end("SIGTERM");
  }

  /** Returns the memory that remains in use after garbage collection. @returns {Promise<Held>} */
  async held() {
    const child = this.#child;
    if (child === undefined) throw new Error("The replica is not running.");
    const answered = once(child, "message");
    child.send("held");
    const [held] = await answered;
    return held;
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
}
