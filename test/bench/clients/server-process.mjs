import { spawn } from "node:child_process";
import { once } from "node:events";

/** @typedef {{ args: string[], cwd: string, env?: Record<string, string> }} Command */

/**
 * A server started for a measurement: Node with `command.args`. Its stderr is kept for the case that
 * something goes wrong.
 */
export class ServerProcess {
  /** @type {string} */
  #output = "";
  /** @type {((text: string) => void) | undefined} */
  #listener;

  /** @param {Command} command */
  constructor(command) {
    const { NODE_OPTIONS: _unused, ...inherited } = process.env;
    this.child = spawn(process.execPath, command.args, {
      cwd: command.cwd,
      env: { ...inherited, ...command.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.exited = once(this.child, "exit");
    this.child.stdin.on("error", () => {});
    this.child.stderr.setEncoding("utf8").on("data", (text) => {
      this.#output = (this.#output + text).slice(-10_000);
      this.#listener?.(this.#output);
    });
  }

  get pid() {
    return /** @type {number} */ (this.child.pid);
  }

  get output() {
    return this.#output;
  }

  /** The address that the server prints once it listens. */
  async address() {
    return new URL(await this.untilSaid(/http:\/\/[^\s"]+/));
  }

  /** Waits for a text on stderr. @param {RegExp | string} words @returns {Promise<string>} the matched text */
  untilSaid(words) {
    return new Promise((resolve, reject) => {
      this.#listener = (output) => {
        const match = output.match(words);
        if (match !== null) resolve(match[0]);
      };
      this.#listener(this.#output);
      void this.exited.then(() =>
        reject(new Error(`The server ended before it said ${words}:\n${this.#output}`)),
      );
    });
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.exited;
  }
}
