import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { runProgram } from "../../packages/cli/src/create/run-program.js";

const cwd = realpathSync(tmpdir());
const node = (script: string): ReturnType<typeof runProgram> =>
  runProgram(process.execPath, ["-e", script], { cwd });

afterEach(() => vi.unstubAllEnvs());

it("collects what a program prints on both streams", async () => {
  expect(await node("console.log('out'); console.error('err')")).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^(?:out\nerr|err\nout)$/) as string,
  });
});

it("tells the exit code of a program that fails, and what it printed", async () => {
  expect(await node("console.log(process.cwd()); process.exit(3)")).toEqual({ exitCode: 3, output: cwd });
});

it("tells why a program cannot be started", async () => {
  const { exitCode, output } = await runProgram("no-such-program-at-all", [], { cwd });
  expect(exitCode).toBe(1);
  expect(output).toContain("ENOENT");
});

it("gives no answer to a program that asks", async () => {
  expect(await node("process.stdin.on('data', () => {}).on('end', () => console.log('end'))")).toEqual({
    exitCode: 0,
    output: "end",
  });
});

it("does not pass on which project npm was started in", async () => {
  vi.stubEnv("npm_package_json", "/elsewhere/package.json");
  vi.stubEnv("INIT_CWD", "/elsewhere");
  vi.stubEnv("npm_config_registry", "https://registry.example/");
  vi.stubEnv(
    "NODE_OPTIONS",
    '--no-warnings --require "/a b/.pnp.cjs" --experimental-loader file:///x/.pnp.loader.mjs',
  );
  const { output } = await node(
    "const { npm_package_json, INIT_CWD, npm_config_registry, NODE_OPTIONS } = process.env;" +
      "console.log(JSON.stringify({ npm_package_json, INIT_CWD, npm_config_registry, NODE_OPTIONS }))",
  );
  expect(JSON.parse(output)).toEqual({
    npm_config_registry: "https://registry.example/",
    NODE_OPTIONS: "--no-warnings",
  });
});
