/** Built servers over HTTP that lose their streams or their host: they continue to serve until they receive a signal to stop. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  describeMeasured,
  exitUnlessItSpins,
  processorSeconds,
  untilIdle,
  unlessItSpins,
} from "../support/processor-time.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { buildNoisyServer } from "./orphaned/noisy-server.js";
import { expectReportedOnce, EXITED, LOSSES } from "./orphaned/piped-server.js";
import { callOverHttp, findUrl } from "./orphaned/http-call.js";
import { ANSWERED, WAYS } from "./orphaned/noisy-source.js";

const noisy = buildNoisyServer();

describeMeasured("a server over HTTP", () => {
  test.each(LOSSES.map((names) => [names.join(", "), names] as const))(
    "continues without %s, and exits on SIGTERM",
    async (_, names) => {
      const server = noisy.start([noisy.entry, "--http", "--port", "0"]);
      const url = await findUrl(server);
      server.hangUp(...names);
      for (const way of WAYS) {
        expect(await unlessItSpins(server.pid, write(url, way))).toMatchObject(ANSWERED);
      }
      expect(await untilIdle(server.pid)).toBe("idle");
      server.child.kill("SIGTERM");
      expect(await server.end()).toEqual(EXITED);
    },
  );

  test("serves even if it cannot print its address", async () => {
    const port = await freePort();
    const server = noisy.start([noisy.entry, "--http", "--port", String(port)]);
    server.hangUp("stdin", "stdout", "stderr");
    const first = (async () => {
      for (;;) {
        try {
          return await write(`http://127.0.0.1:${port}/mcp`, "every");
        } catch {
          if (processorSeconds(server.pid) === undefined) return "exited";
        }
      }
    })();
    expect(await unlessItSpins(server.pid, first)).toMatchObject(ANSWERED);
    server.child.kill("SIGTERM");
    expect(await server.end()).toEqual(EXITED);
  });

  test("without stderr exits with 1 if its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const server = noisy.start([
      noisy.entry,
      "--http",
      "--port",
      String((other.address() as AddressInfo).port),
    ]);
    server.hangUp("stderr");
    expect(await server.end()).toEqual({ code: 1, signal: null });
  });

  test("without stdout reports uncaught exceptions exactly once", async () => {
    const server = noisy.start([noisy.entry, "--http", "--port", "0"]);
    const url = await findUrl(server);
    server.hangUp("stdin", "stdout");
    await write(url, "stray");
    server.child.kill("SIGTERM");
    expect(await server.end()).toEqual(EXITED);
    expectReportedOnce(server.log);
  });

  test("continues when its host is killed, and exits on SIGTERM", async () => {
    const { host, pid, exitCode } = await noisy.startUnderHost(noisy.entry, "--http", "--port", "0");
    const url = await findUrl(host);
    await host.kill();
    for (const way of WAYS) expect(await unlessItSpins(pid, write(url, way))).toMatchObject(ANSWERED);
    expect(await untilIdle(pid)).toBe("idle");
    process.kill(pid, "SIGTERM");
    expect(await exitUnlessItSpins(pid)).toBe("exited");
    expect(exitCode()).toBe("0");
  });
});

const write = (url: string, way: string): Promise<WireMessage> => callOverHttp(url, "write", { way });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
