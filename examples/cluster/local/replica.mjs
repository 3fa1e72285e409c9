import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";

const SERVER = join(import.meta.dirname, "../dist/server.js");

/** A process of the built server, which is restarted when it ends, as an orchestrator would do. */
export class Replica {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #environment;
  #onLog;
  #isStopped = false;
  /** The port that it listens on; 0 before the start. */
  port = 0;

  /**
   * @param {number} number @param {NodeJS.ProcessEnv} environment
   * @param {(number: number, line: string) => void} onLog
   */
  constructor(number, environment, onLog) {
    this.number = number;
    this.#environment = environment;
    this.#onLog = onLog;
  }

  get pid() {
    return this.#child?.pid;
  }

  /**
   * Starts it. Resolves when it listens.
   *
   * @returns {Promise<void>}
   */
  start() {
    const child = spawn(process.execPath, [SERVER, "--http", "--port", String(this.port)], {
      stdio: ["ignore", "ignore", "pipe"],
      env: this.#environment,
      // Ctrl-C must not stop it: the parent process does.
      detached: true,
    });
    this.#child = child;
    const kill = () => void child.kill("SIGKILL");
    process.once("exit", kill);
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        const [, port] = /listens on http:\/\/[^/"]+:(\d+)/.exec(line) ?? [];
        if (port !== undefined) {
          this.port = Number(port);
          resolve();
        }
        this.#onLog(this.number, line);
      });
      child.on("exit", (code, signal) => {
        process.off("exit", kill);
        this.#child = undefined;
        if (this.port === 0) return reject(new Error(`Replica ${this.number} did not start.`));
        if (this.#isStopped) return;
        this.#onLog(this.number, `ended (${signal ?? code}) and is restarted`);
        this.start().catch(reject);
      });
    });
  }

  /** Stops it after its calls have finished. */
  async stop() {
    this.#isStopped = true;
    const child = this.#child;
    if (child === undefined) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exited;
  }
}
