import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processTerminal } from "@tenon/cli";

/** Returns whether the output of a process has colors, and how many columns it has. */
function describeOutput(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv = {}): object {
  const output = { write: () => true, on: () => output, writable: true, ...stream };
  const { color, columns } = processTerminal({
    cwd: () => "/",
    stdin: {},
    stdout: output,
    stderr: output,
    env,
  } as unknown as NodeJS.Process).out;
  return { color, columns };
}

describe("colors", () => {
  it.each([
    { isTTY: true, env: {}, color: true },
    { isTTY: false, env: {}, color: false },
    { isTTY: true, env: { TERM: "dumb" }, color: false },
    { isTTY: true, env: { NO_COLOR: "1" }, color: false },
    { isTTY: false, env: { FORCE_COLOR: "1" }, color: true },
    { isTTY: false, env: { FORCE_COLOR: "true", TERM: "dumb" }, color: true },
    { isTTY: true, env: { FORCE_COLOR: "0" }, color: false },
    { isTTY: true, env: { FORCE_COLOR: "false" }, color: false },
    { isTTY: true, env: { NO_COLOR: "", FORCE_COLOR: "" }, color: true },
    { isTTY: true, env: { NO_COLOR: "1", FORCE_COLOR: "1" }, color: false },
  ])("in a terminal ($isTTY) with $env are on: $color", ({ isTTY, env, color }) => {
    expect(describeOutput({ isTTY }, env)).toMatchObject({ color });
  });
});

describe("the width", () => {
  it.each([
    [60, 60],
    [0, 100],
    [undefined, 100],
  ])("for %s columns is %i", (columnsVariable, columns) => {
    expect(
      describeOutput({ isTTY: true, ...(columnsVariable !== undefined && { columns: columnsVariable }) }),
    ).toMatchObject({ columns });
  });
});

describe("output that cannot be written", () => {
  it.runIf(existsSync("/dev/full"))("is a failure", () => {
    const full = openSync("/dev/full", "w");
    const bin = join(import.meta.dirname, "../../packages/cli/dist/bin.js");
    const { status, stderr } = spawnSync(process.execPath, [bin, "--version"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect([status, stderr]).toEqual([
      1,
      "The output could not be written: ENOSPC: no space left on device, write\n",
    ]);
  });
});
