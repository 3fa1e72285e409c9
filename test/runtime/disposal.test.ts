import type { LogEntry } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { expect, test } from "vitest";
import { createTasksFixture } from "./tasks/application.js";
import { Jobs } from "./tasks/handlers.js";

/** Closes a server with these instances, and gives what it logged. */
async function close(provide: object[], withinMs?: number): Promise<string[]> {
  const logged: LogEntry[] = [];
  const server = createServer(createTasksFixture({ provide, log: (entry) => void logged.push(entry) }));
  await server.close(withinMs);
  return logged.map(({ msg, err }) => (err === undefined ? msg : `${msg} ${err.message}`));
}

class Held extends Jobs {
  constructor(
    private readonly lines: string[],
    private readonly end: () => Promise<void> = async () => {},
  ) {
    super();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.lines.push("handlers");
    await this.end();
  }
}

class Pool {
  constructor(
    private readonly lines: string[],
    private readonly end: () => void | Promise<void> = () => {},
  ) {}
  async [Symbol.asyncDispose](): Promise<void> {
    this.lines.push("pool");
    await this.end();
  }
}

const plain = (lines: string[]): Disposable => ({ [Symbol.dispose]: () => void lines.push("plain object") });

test("what uses another goes first, and what serves nothing goes as well", async () => {
  const lines: string[] = [];
  expect(await close([plain(lines), new Pool(lines), new Held(lines)])).toEqual([]);
  expect(lines).toEqual(["handlers", "pool", "plain object"]);
});

test("one that fails is reported, and does not keep the others", async () => {
  const lines: string[] = [];
  const fails = new Held(lines, () => Promise.reject(new Error("The lock is gone.")));
  const throws = new Pool(lines, () => {
    // oxlint-disable-next-line no-throw-literal
    throw "no error at all";
  });
  const logged = await close([plain(lines), throws, fails]);
  expect(logged).toEqual([
    "The disposal of Held failed. The lock is gone.",
    "The disposal of Pool failed. no error at all",
  ]);
  expect(lines).toEqual(["handlers", "pool", "plain object"]);
});

test("one that never ends is named, and does not keep the others", async () => {
  const lines: string[] = [];
  const logged = await close([new Pool(lines), new Held(lines, () => new Promise(() => {}))], 100);
  expect(logged).toEqual([expect.stringMatching(/^The disposal of Held did not end in time\.$/)]);
  expect(lines).toEqual(["handlers", "pool"]);
});

test("one that takes longer than its share has what the others leave", async () => {
  const lines: string[] = [];
  let end: () => void = () => {};
  const slow = new Held(lines, () => new Promise((resolve) => (end = resolve)));
  expect(await close([new Pool(lines, () => end()), slow], 1000)).toEqual([]);
  expect(lines).toEqual(["handlers", "pool"]);
});
