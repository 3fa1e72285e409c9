/**
 * Built servers over stdio that lose their streams or their host. A server that spins is detected by its processor
 * time, which also bounds each wait.
 */
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeMeasured, exitUnlessItSpins, untilIdle } from "../support/processor-time.js";
import { buildNoisyServer } from "./orphaned/noisy-server.js";
import { expectReportedOnce, EXITED, LOSSES } from "./orphaned/piped-server.js";
import { ANSWERED, WAYS } from "./orphaned/noisy-source.js";

const noisy = buildNoisyServer();

const MOMENTS = ["before", "during", "after"] as const;

describeMeasured("a server over stdio", () => {
  test.each(WAYS)("without stderr continues after %s, and exits when stdin ends", async (way) => {
    const server = noisy.start([noisy.entry]);
    server.hangUp("stderr");
    for (let time = 0; time < 2; time++) {
      expect(await server.answer(server.call("write", { way }))).toMatchObject(ANSWERED);
      expect(await server.answer(server.send("ping"))).toMatchObject({ result: {} });
    }
    expect(await untilIdle(server.pid)).toBe("idle");
    expect(await server.answer(server.send("ping"))).toMatchObject({ result: {} });
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
  });

  describe.each(LOSSES.map((names) => [names.join(", "), names] as const))(
    "exits with 0 when it loses %s",
    (_, names) => {
      const isHeard = !names.includes("stdin") && !names.includes("stdout");

      test.each(MOMENTS)("%s a call", async (moment) => {
        const server = noisy.start([noisy.entry]);
        if (moment === "before") server.hangUp(...names);
        const id = server.call("write", { way: "every", held: moment === "during" });
        if (moment === "during") {
          await server.answer(server.send("ping"));
          server.hangUp(...names);
          process.kill(server.pid, "SIGUSR2");
        }
        if (isHeard || moment === "after") expect(await server.answer(id)).toMatchObject(ANSWERED);
        if (moment === "after") server.hangUp(...names);
        if (isHeard) {
          expect(await server.answer(server.send("ping"))).toMatchObject({ result: {} });
          expect(await untilIdle(server.pid)).toBe("idle");
        }
        // Without stdout it exits by itself as soon as it has an answer to write.
        if (isHeard || moment === "after") server.child.stdin?.end();
        expect(await server.end()).toEqual(EXITED);
      });
    },
  );

  test.each(["SIGTERM", "SIGINT", "stdin"] as const)(
    "without stderr exits on %s while it writes",
    async (how) => {
      const server = noisy.start([noisy.entry]);
      server.hangUp("stderr");
      expect(await server.answer(server.call("writeForever"))).toMatchObject(ANSWERED);
      expect(await server.answer(server.call("write", { way: "every" }))).toMatchObject(ANSWERED);
      if (how === "stdin") server.child.stdin?.end();
      else server.child.kill(how);
      expect(await server.end()).toEqual(EXITED);
    },
  );

  test("continues while its stderr is not read", async () => {
    const server = noisy.start([noisy.entry]);
    server.child.stderr?.pause();
    const isPipeFull = async (): Promise<boolean> => {
      const answer = await server.answer(server.call("write", { way: "descriptor" }));
      return typeof answer === "string" || answer.result?.["isError"] === true;
    };
    while (!(await isPipeFull()));
    for (const way of ["lateDescriptor", "every"]) {
      expect(await server.answer(server.call("write", { way }))).toMatchObject(ANSWERED);
    }
    expect(await untilIdle(server.pid)).toBe("idle");
    server.child.stderr?.resume();
    await server.until(() => /The background work failed\.\nError: EAGAIN/.exec(server.log) ?? undefined);
    expect(server.log).toMatch(/The tool "write" failed\.\nError: EAGAIN/);
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
  });

  test("continues when stderr is a file on a full disk", async () => {
    const server = noisy.start([noisy.entry], ["pipe", "pipe", openSync("/dev/full", "w")]);
    for (const way of WAYS) {
      expect(await server.answer(server.call("write", { way }))).toMatchObject(ANSWERED);
    }
    expect(await untilIdle(server.pid)).toBe("idle");
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
  });

  test("exits with 0 when stdout is a file on a full disk", async () => {
    const server = noisy.start([noisy.entry], ["pipe", openSync("/dev/full", "w"), "pipe"]);
    server.call("write", { way: "every" });
    expect(await server.end()).toEqual(EXITED);
  });

  test("without stderr serves modules that write while they load", async () => {
    const server = noisy.start([noisy.entry], "pipe", { LOUD: "1" });
    server.hangUp("stderr");
    expect(await server.answer(server.send("ping"))).toMatchObject({ result: {} });
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
  });

  test.each(["throw", "stray", "stderr"])("without the guard, continues after the error: %s", async (way) => {
    const bare = join(noisy.root, "bare.mjs");
    writeFileSync(bare, 'import { serve, server } from "./dist/app.js"; await serve(server, []);');
    const server = noisy.start([bare]);
    server.hangUp("stderr");
    expect(await server.answer(server.call("write", { way }))).toMatchObject(ANSWERED);
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
  });

  test("reports uncaught exceptions exactly once", async () => {
    const server = noisy.start([noisy.entry]);
    expect(await server.answer(server.call("write", { way: "every" }))).toMatchObject(ANSWERED);
    const isReported = (): true | undefined =>
      (/by nobody/.test(server.log) && /in a timer/.test(server.log)) || undefined;
    expect(await server.until(isReported)).toBe(true);
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
    expectReportedOnce(server.log);
  });

  test("reports errors with circular causes or an unreadable stack", async () => {
    const server = noisy.start([noisy.entry]);
    for (const way of ["inACircle", "inAGetter"]) {
      expect(await server.answer(server.call("write", { way }))).toMatchObject(ANSWERED);
    }
    server.child.stdin?.end();
    expect(await server.end()).toEqual(EXITED);
    expect(server.log.match(/Error: thrown in a circle/g)).toHaveLength(1);
    expect(server.log).toMatch(/failed\.\nError\n/);
  });

  test.each([
    ["--help", "stdout", 0],
    ["--unknown", "stderr", 2],
  ] as const)("has the right exit code even if its output is not read: %s", async (flag, name, code) => {
    const server = noisy.start([noisy.entry, flag]);
    server.hangUp(name);
    expect(await server.end()).toEqual({ code, signal: null });
  });

  test.each(MOMENTS)("exits with 0 when its host is killed %s a call", async (moment) => {
    const { host, pid, exitCode } = await noisy.startUnderHost(noisy.entry);
    if (moment === "before") await host.answer(host.send("ping"));
    else await host.answer(host.call("write", { way: "every" }));
    if (moment === "during") {
      host.call("write", { way: "every", held: true });
      await host.answer(host.send("ping"));
    }
    await host.kill();
    if (moment === "during") process.kill(pid, "SIGUSR2");
    expect(await exitUnlessItSpins(pid)).toBe("exited");
    expect(exitCode()).toBe("0");
  });
});
