/** `tenon dev`, and the server it runs, when it loses its streams or its host. */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeMeasured, exitUnlessItSpins, untilIdle, unlessItSpins } from "../support/processor-time.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { buildNoisyServer } from "../e2e/orphaned/noisy-server.js";
import { EXITED, type PipedServer, type StreamName } from "../e2e/orphaned/piped-server.js";
import { callOverHttp, findUrl } from "../e2e/orphaned/http-call.js";
import { ANSWERED, NOISY_SOURCE } from "../e2e/orphaned/noisy-source.js";

const PROGRAM = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");
/** The limit of processor time in seconds, enough for the first compilation of a project. */
const START_SECONDS = 60;

const noisy = buildNoisyServer();

async function startOverStdio(): Promise<PipedServer> {
  const dev = noisy.start([PROGRAM, "dev", noisy.root, "--stdio"]);
  expect(await dev.until(() => /ready in/.exec(dev.log) ?? undefined, START_SECONDS)).not.toBeTypeOf(
    "string",
  );
  return dev;
}

/** Returns the process ID in the result of the tool `pid`. */
function getPid(answer: WireMessage | "spins" | "exited"): number {
  if (typeof answer === "string") throw new Error(`tenon dev ${answer}`);
  const [text] = (answer.result?.["content"] ?? []) as { text: string }[];
  return Number(text?.text);
}

const findServerPid = async (dev: PipedServer): Promise<number> => getPid(await dev.answer(dev.call("pid")));

/** Waits until another server has replaced this one, and returns its process ID. */
async function findSuccessor(server: number, ask: () => Promise<number>): Promise<number> {
  for (;;) {
    const found = await ask();
    if (found !== server) return found;
    await delay(20);
  }
}

let edits = 0;
function edit(): void {
  edits += 1;
  writeFileSync(join(noisy.root, "src/noisy.ts"), `${NOISY_SOURCE}// edited ${edits} times\n`);
}

describeMeasured("tenon dev over stdio", () => {
  test("continues without stderr, follows edits, and exits when stdin ends", async () => {
    const dev = await startOverStdio();
    dev.hangUp("stderr");
    const first = await findServerPid(dev);
    expect(await dev.answer(dev.call("write", { way: "every" }))).toMatchObject(ANSWERED);
    edit();
    const second = await findSuccessor(first, () => findServerPid(dev));
    expect(await dev.answer(dev.call("write", { way: "every" }))).toMatchObject(ANSWERED);
    expect(await untilIdle(dev.pid)).toBe("idle");
    expect(await untilIdle(second)).toBe("idle");
    dev.child.stdin?.end();
    expect(await dev.end()).toEqual(EXITED);
    expect(await exitUnlessItSpins(second)).toBe("exited");
  });

  test.each<[StreamName[]]>([[["stdout"]], [["stdin", "stdout", "stderr"]]])(
    "exits with its server when it loses %j during a call and stdin ends",
    async (names) => {
      const dev = await startOverStdio();
      const server = await findServerPid(dev);
      dev.call("write", { way: "every", held: true });
      await findServerPid(dev);
      dev.hangUp(...names);
      process.kill(server, "SIGUSR2");
      dev.child.stdin?.end();
      expect(await dev.end()).toEqual(EXITED);
      expect(await exitUnlessItSpins(server)).toBe("exited");
    },
  );

  test("exits with its server when its host is killed during a call", async () => {
    const { host, pid, exitCode } = await noisy.startUnderHost(PROGRAM, "dev", noisy.root, "--stdio");
    expect(
      await unlessItSpins(
        pid,
        host.until(() => /ready in/.exec(host.log)?.[0]),
        START_SECONDS,
      ),
    ).toBe("ready in");
    const server = await findServerPid(host);
    host.call("write", { way: "every", held: true });
    await findServerPid(host);
    await host.kill();
    process.kill(server, "SIGUSR2");
    expect(await exitUnlessItSpins(pid)).toBe("exited");
    expect(exitCode()).toBe("0");
    expect(await exitUnlessItSpins(server)).toBe("exited");
  });

  test("ends its server when it is killed, even while the server writes", async () => {
    const dev = await startOverStdio();
    const server = await findServerPid(dev);
    expect(await dev.answer(dev.call("writeForever"))).toMatchObject(ANSWERED);
    await dev.kill();
    expect(await exitUnlessItSpins(server)).toBe("exited");
  });
});

describeMeasured("tenon dev over HTTP", () => {
  test("continues without any stream, follows edits, and exits on SIGTERM", async () => {
    const dev = noisy.start([PROGRAM, "dev", noisy.root, "--port", "0"]);
    const url = await findUrl(dev, START_SECONDS);
    dev.hangUp("stdin", "stdout", "stderr");
    const ask = async () => getPid(await unlessItSpins(dev.pid, callOverHttp(url, "pid")));
    const write = (way: string) => unlessItSpins(dev.pid, callOverHttp(url, "write", { way }));
    const first = await ask();
    for (const way of ["throw", "console", "stderr"]) expect(await write(way)).toMatchObject(ANSWERED);
    edit();
    const second = await findSuccessor(first, ask);
    for (const way of ["throw", "console", "stderr"]) expect(await write(way)).toMatchObject(ANSWERED);
    expect(await untilIdle(dev.pid)).toBe("idle");
    expect(await untilIdle(second)).toBe("idle");
    dev.child.kill("SIGTERM");
    expect(await dev.end()).toEqual(EXITED);
    expect(await exitUnlessItSpins(second)).toBe("exited");
  });
});
