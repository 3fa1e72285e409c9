import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
// Internal: programs that fail in any way.
import { runProgram } from "../../packages/cli/src/create/run-program.js";

const cwd = realpathSync(tmpdir());
const node = (script: string): ReturnType<typeof runProgram> =>
  runProgram(process.execPath, ["-e", script], { cwd });

afterEach(() => vi.unstubAllEnvs());

it("a program's output on both streams is collected", async () => {
  expect(await node("console.log('out'); console.error('err')")).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^(?:out\nerr|err\nout)$/) as string,
  });
});

it("a failed program yields its exit code and output", async () => {
  expect(await node("console.log(process.cwd()); process.exit(3)")).toEqual({ exitCode: 3, output: cwd });
});

it("a program that cannot be started yields the reason", async () => {
  const { exitCode, output } = await runProgram("no-such-program-at-all", [], { cwd });
  expect(exitCode).toBe(1);
  expect(output).toContain("ENOENT");
});

it("a program that reads stdin receives end-of-file", async () => {
  expect(await node("process.stdin.on('data', () => {}).on('end', () => console.log('end'))")).toEqual({
    exitCode: 0,
    output: "end",
  });
});

it("a program receives nothing about the project from which npm was started", async () => {
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
