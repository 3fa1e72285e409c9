import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";

const SERVER = join(import.meta.dirname, "../dist/server.js");

/** One process of the built server, started again when it ends, as an orchestrator would. */
export class Replica {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #environment;
  #onLog;
  #isStopped = false;
  /** Where it listens. 0 until it does. */
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

  /** Starts it; back when it listens. @returns {Promise<void>} */
  start() {
    const child = spawn(process.execPath, [SERVER, "--http", "--port", String(this.port)], {
      stdio: ["ignore", "ignore", "pipe"],
      env: this.#environment,
      // Ctrl-C is for who has started it.
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
        if (this.port === 0) return reject(new Error(`Replica ${this.number} does not start.`));
        if (this.#isStopped) return;
        this.#onLog(this.number, `has ended (${signal ?? code}), and is started again`);
        this.start().catch(reject);
      });
    });
  }

  /** Has it finish its calls and end. */
  async stop() {
    this.#isStopped = true;
    const child = this.#child;
    if (child === undefined) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exited;
  }
}
