import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { findChildren, cpuMicros } from "../process-usage.mjs";

/** @typedef {{ args: string[], cwd: string, env?: Record<string, string>, node?: string }} Command */

/** The processor time that idle processes may use between two checks. */
const IDLE_MICROS = 5000;
const IDLE_CHECK_MS = 200;
/** On a busy machine, processes that wait use some time too. */
const MAX_IDLE_CHECKS = 50;

/** @param {readonly number[]} pids */
function totalCpu(pids) {
  return pids.reduce((sum, pid) => sum + (cpuMicros(pid) ?? 0), 0);
}

/**
 * A server started for a measurement: Node, or `command.node`, with `command.args`. Its stderr is kept for error
 * messages.
 */
export class ServerProcess {
  /** @type {string} */
  #output = "";
  /** @type {((text: string) => void) | undefined} */
  #listener;

  /** @param {Command} command */
  constructor(command) {
    const { NODE_OPTIONS: _unused, ...inherited } = process.env;
    this.child = spawn(command.node ?? process.execPath, command.args, {
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

  /** Waits for the address that the server prints when it listens. */
  async address() {
    return new URL(await this.waitForOutput(/http:\/\/[^\s"]+/));
  }

  /** Waits for output on stderr. @param {RegExp | string} words @returns {Promise<string>} the matched text */
  waitForOutput(words) {
    return new Promise((resolve, reject) => {
      this.#listener = (output) => {
        const match = output.match(words);
        if (match !== null) resolve(match[0]);
      };
      this.#listener(this.#output);
      void this.exited.then(() =>
        reject(new Error(`The server ended before it printed ${words}:\n${this.#output}`)),
      );
    });
  }

  /**
   * Waits until a server's first process has started this many others, and all of them have loaded the server.
   *
   * @param {number} workers @returns {Promise<number[]>} the IDs of all processes, the first one's first
   */
  async untilStarted(workers) {
    await this.address();
    let pids = [this.pid];
    while (pids.length <= workers) {
      await wait(10);
      pids = [this.pid, ...findChildren(this.pid)];
    }
    for (let checks = 0, before = 0; checks < MAX_IDLE_CHECKS; checks++) {
      const now = totalCpu(pids);
      if (now - before < IDLE_MICROS) break;
      before = now;
      await wait(IDLE_CHECK_MS);
    }
    return pids;
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.exited;
  }
}
