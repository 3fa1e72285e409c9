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
 * @property {Record<string, number>} resources Timers, sockets, and the like, by kind.
 */

const PROBE = pathToFileURL(join(import.meta.dirname, "probe.mjs")).href;

/** A secret in the environment of every server. Checks verify that no output contains it. */
export const ENVIRONMENT_SECRET = "environment-secret-5f1c";

/** The process of a compiled server, which reports its memory and resources on request. */
export class ServerProcess {
  #child;
  stderr = "";
  /** The reason of its exit, after it has ended. @type {string | undefined} */
  ended;

  /** @param {string} entry @param {readonly string[]} args @param {Record<string, string>} [env] */
  constructor(entry, args, env = {}) {
    this.#child = spawn(process.execPath, ["--expose-gc", "--import", PROBE, entry, ...args], {
      stdio: ["pipe", "pipe", "pipe", "ipc"],
      // Its messages are checked here, so they are not recorded.
      env: { ...process.env, [FOLDER_VARIABLE]: undefined, FUZZ_SECRET: ENVIRONMENT_SECRET, ...env },
    });
    this.#child.on("exit", (code, signal) => {
      this.ended ??= `exit ${code ?? signal}`;
    });
    // The process has ended, which `exited` reports.
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

  /** Stops the process. @returns {Promise<void>} */
  async stop() {
    if (this.ended !== undefined) return;
    this.ended = "stopped";
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }
}
