import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { expect } from "vitest";
import { unlessItSpins } from "../../support/processor-time.js";
import type { WireMessage } from "../../wire/schemas.mjs";

export type StreamName = "stdin" | "stdout" | "stderr";

/** Every combination of streams that a host can close. */
export const LOSSES: StreamName[][] = [
  ["stdin"],
  ["stdout"],
  ["stderr"],
  ["stdin", "stdout"],
  ["stdin", "stderr"],
  ["stdout", "stderr"],
  ["stdin", "stdout", "stderr"],
];

/** The exit of a process. */
interface End {
  code: number | null;
  signal: string | null;
}

/** The exit of a server after a signal or the end of its stdin. */
export const EXITED: End = { code: 0, signal: null };

/** A server on whose streams a test can hang up. */
export class PipedServer {
  readonly child: ChildProcess;
  /** Text that the server has written to stderr. */
  log = "";
  readonly #answers = new Map<number, WireMessage>();
  readonly #closed: Promise<End>;
  readonly #news = new EventEmitter();
  #ended = false;
  #rest = "";
  #nextId = 1;

  constructor(args: readonly string[], stdio: StdioOptions = "pipe", env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, args, { stdio, env: { ...process.env, ...env } });
    const { stdin, stdout, stderr } = this.child;
    stdin?.on("error", () => {});
    stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.log += text;
      this.#news.emit("news");
    });
    this.#closed = once(this.child, "close").then(([code, signal]) => {
      this.#ended = true;
      this.#news.emit("news");
      return { code, signal } as End;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @returns the id of the request */
  send(method: string, params: object = {}): number {
    const id = this.#nextId++;
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return id;
  }

  call(name: string, args: object = {}): number {
    return this.send("tools/call", { name, arguments: args });
  }

  /** Waits for the response. Returns why there is none if the server exits or spins. */
  answer(id: number): Promise<WireMessage | "spins" | "exited"> {
    return this.until(() => this.#answers.get(id));
  }

  /**
   * Looks again whenever the server has written something, until something is found.
   *
   * @param seconds maximum processor time meanwhile
   */
  async until<T>(find: () => T | undefined, seconds?: number): Promise<T | "spins" | "exited"> {
    const wanted = async (): Promise<T | "exited"> => {
      for (;;) {
        const found = find();
        if (found !== undefined) return found;
        if (this.#ended) return "exited";
        await once(this.#news, "news");
      }
    };
    return unlessItSpins(this.pid, wanted(), seconds);
  }

  /** Closes this side of streams. */
  hangUp(...names: StreamName[]): void {
    for (const name of names) (this.child[name] as Readable | Writable | null)?.destroy();
  }

  end(): Promise<End | "spins"> {
    return unlessItSpins(this.pid, this.#closed);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#closed;
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as WireMessage;
      if (typeof message.id === "number") this.#answers.set(message.id, message);
    }
    this.#news.emit("news");
  }
}

/** Expects the report of one `stray`, which is also one of `every`. */
export function expectReportedOnce(log: string): void {
  expect(log.split("thrown in a timer")).toHaveLength(2);
  expect(log.split("rejected by nobody")).toHaveLength(2);
}
