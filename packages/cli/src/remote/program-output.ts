import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RemoteTarget } from "./remote-target.js";

const SCRIPT = /\.(?:[cm]?[jt]s|py)$/i;

/**
 * What a program prints on stderr. It is passed on as it comes; where the script to be run does not exist, only once the
 * program is known to answer, since what is printed until then says of that in many lines what one sentence says.
 */
export class ProgramOutput {
  readonly #write: (text: string) => void;
  readonly #missing: string | undefined;
  #held: string | undefined;

  constructor(target: RemoteTarget, cwd: string, write: (text: string) => void) {
    this.#write = write;
    const script = "url" in target ? undefined : target.args.find((arg) => !arg.startsWith("-"));
    if (script === undefined || !SCRIPT.test(script) || existsSync(resolve(cwd, script))) return;
    this.#missing = resolve(cwd, script);
    this.#held = "";
  }

  take(text: string): void {
    if (this.#held === undefined) this.#write(text);
    else this.#held += text;
  }

  /** Passes on what was held back, and from now on everything. */
  release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#write(held);
  }

  /** The script that the program itself says it does not find; its own words are not needed then. */
  missingScript(): string | undefined {
    return this.#missing !== undefined && this.#held?.includes(this.#missing) ? this.#missing : undefined;
  }
}
