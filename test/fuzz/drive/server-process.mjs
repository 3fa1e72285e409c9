import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FOLDER_VARIABLE } from "../../wire/recorder.mjs";

/**
 * Memory and resources of a server's process after garbage collection.
 *
 * @typedef {object} Held
 * @property {number} heap In bytes.
 * @property {number} rss In bytes.
 * @property {Record<string, number>} resources Timers, sockets and the like, by kind.
 */

const PROBE = pathToFileURL(join(import.meta.dirname, "probe.mjs")).href;

/** A secret in the environment of every server. Checks verify that no output contains it. */
export const ENVIRONMENT_SECRET = "environment-secret-5f1c";

/** A compiled server as a process that can be asked what it holds. */
export class ServerProcess {
  #child;
  stderr = "";
  /** The reason of its exit, after it has ended. @type {string | undefined} */
  ended;

  /** @param {string} entry @param {readonly string[]} args @param {Record<string, string>} [env] */
  constructor(entry, args, env = {}) {
    this.#child = spawn(process.execPath, ["--expose-gc", "--import", PROBE, entry, ...args], {
      stdio: ["pipe", "pipe", "pipe", "ipc"],
      // What it sends is judged here, and need not be recorded.
      env: { ...process.env, [FOLDER_VARIABLE]: undefined, FUZZ_SECRET: ENVIRONMENT_SECRET, ...env },
    });
    this.#child.on("exit", (code, signal) => {
      this.ended ??= `exit ${code ?? signal}`;
    });
    // Written to after its end: what matters is that it has ended.
    this.stdin.on("error", () => {});
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
  }

  get stdin() {
    return /** @type {import("node:stream").Writable} */ (this.#child.stdin);
  }

  get stdout() {
    return /** @type {import("node:stream").Readable} */ (this.#child.stdout);
  }

  /** Waits for the address that a server over HTTP prints. @returns {Promise<URL>} */
  async url() {
    for (;;) {
      const [, url] = / listens on (\S+)\n/.exec(this.stderr) ?? [];
      if (url !== undefined) return new URL(url);
      if (this.ended !== undefined) throw new Error(`The server did not start: ${this.stderr}`);
      await Promise.race([once(/** @type {any} */ (this.#child.stderr), "data"), once(this.#child, "exit")]);
    }
  }

  /** @returns {Promise<Held>} */
  async held() {
    const answered = once(this.#child, "message");
    this.#child.send("held");
    const [held] = await answered;
    return held;
  }

  /** Ends it. @returns {Promise<void>} */
  async stop() {
    if (this.ended !== undefined) return;
    this.ended = "stopped";
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }
}
