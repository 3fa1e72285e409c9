import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RemoteTarget } from "./remote-target.js";

const SCRIPT = /\.(?:[cm]?[jt]s|py)$/i;

/**
 * The stderr output of a server's program. If the script to run does not exist, the output is held back until the program
 * responds, since the failure explains the problem in one sentence.
 */
export class ProgramOutput {
  readonly #write: (text: string) => void;
  readonly #missingScript: string | undefined;
  #pending: string | undefined;

  constructor(target: RemoteTarget, cwd: string, write: (text: string) => void) {
    this.#write = write;
    const script = "url" in target ? undefined : target.args.find((arg) => !arg.startsWith("-"));
    if (script === undefined || !SCRIPT.test(script) || existsSync(resolve(cwd, script))) return;
    this.#missingScript = resolve(cwd, script);
    this.#pending = "";
  }

  /** Writes or holds back a string. */
  add(text: string): void {
    if (this.#pending === undefined) this.#write(text);
    else this.#pending += text;
  }

  /** Writes the output that was held back, and all further output. */
  release(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) this.#write(pending);
  }

  /** Returns the script that the program reports as missing. The failure about it replaces the output. */
  findMissingScript(): string | undefined {
    return this.#missingScript !== undefined && this.#pending?.includes(this.#missingScript)
      ? this.#missingScript
      : undefined;
  }
}
