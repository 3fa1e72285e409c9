import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** The mark of shell integrations, which the shell prints before each prompt and terminals do not display. */
const PROMPT_MARK = "\u001B]133;A\u0007";
const END_OF_FILE = "\u0004";
/** The pace of a practiced typist: 600 characters per minute. */
const KEY_MS = 100;

/** A piece of output, and the seconds from the start of the recording until it. */
export type TerminalEvent = [seconds: number, kind: "o", text: string];

/** The size of a terminal in characters. */
export interface TerminalSize {
  width: number;
  height: number;
}

/**
 * A shell in a pseudo-terminal, whose output is recorded. It needs `script` from util-linux.
 *
 * @example
 * const terminal = await RecordedTerminal.open(folder, process.env, { width: 100, height: 30 });
 * await terminal.run("ls");
 */
export class RecordedTerminal {
  readonly events: TerminalEvent[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";
  #started: number | undefined;

  private constructor(cwd: string, env: NodeJS.ProcessEnv) {
    const shell = "bash --noprofile --norc -i";
    this.#child = spawn("script", ["--quiet", "--flush", "--return", "--command", shell, "/dev/null"], {
      cwd,
      env: { ...env, TERM: "xterm-256color", HISTFILE: "" },
    });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#record(text));
  }

  /** Opens a shell with the prompt `$ `. The recording starts at that prompt. */
  static async open(cwd: string, env: NodeJS.ProcessEnv, size: TerminalSize): Promise<RecordedTerminal> {
    const terminal = new RecordedTerminal(cwd, env);
    const setUp = [
      "bind 'set enable-bracketed-paste off'",
      `stty cols ${size.width} rows ${size.height}`,
      "PS1='$ '",
      `PROMPT_COMMAND='printf "\\033]133;A\\007"'`,
    ];
    terminal.#child.stdin.write(`${setUp.join("; ")}\n`);
    await terminal.#until((output) => output.endsWith(`${PROMPT_MARK}$ `), 10_000);
    terminal.#started = performance.now();
    terminal.events.push([0, "o", "$ "]);
    return terminal;
  }

  /** Seconds from the start of the recording until its last output. */
  get seconds(): number {
    return this.events.at(-1)?.[0] ?? 0;
  }

  /**
   * Types a command, and waits until the shell prompts again.
   *
   * @param answers What to type when the command prints a question. The keys are parts of the questions.
   * @returns The output of the command.
   * @throws Error if it takes more than `timeoutMs`.
   */
  async run(
    command: string,
    timeoutMs: number,
    answers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    this.#output = "";
    await this.type(`${command}\n`);
    const open = new Map(Object.entries(answers));
    await this.#until((output) => {
      for (const [question, answer] of open) {
        if (!output.includes(question)) continue;
        open.delete(question);
        void this.type(`${answer}\n`);
      }
      return output.endsWith(`${PROMPT_MARK}$ `);
    }, timeoutMs);
    return this.#output;
  }

  /** Writes a file as a person does: with the keyboard. */
  async writeFile(path: string, text: string): Promise<void> {
    this.#output = "";
    await this.type(`cat > ${path}\n${text}${END_OF_FILE}`);
    await this.#until((output) => output.endsWith(`${PROMPT_MARK}$ `), 10_000);
  }

  /** Types a string, one key after the other. */
  async type(text: string): Promise<void> {
    for (const key of text) {
      await delay(KEY_MS);
      this.#child.stdin.write(key);
    }
  }

  async close(): Promise<void> {
    this.#started = undefined;
    this.#child.stdin.write(END_OF_FILE);
    const killed = setTimeout(() => this.#child.kill(), 2000);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
    clearTimeout(killed);
  }

  #record(text: string): void {
    this.#output += text;
    if (this.#started === undefined) return;
    const seconds = Math.round(performance.now() - this.#started) / 1000;
    const shown = text.replaceAll(PROMPT_MARK, "");
    if (shown !== "") this.events.push([seconds, "o", shown]);
  }

  async #until(condition: (output: string) => boolean, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!condition(this.#output)) {
      if (performance.now() > deadline)
        throw new Error(`The terminal does not prompt again:\n${this.#output}`);
      await delay(20);
    }
  }
}
