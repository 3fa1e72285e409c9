/** Node versions that are too old: one sentence from every program, although they lack modules that it imports. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildServer } from "../support/built-server.js";

const packages = join(import.meta.dirname, "../../packages");

/** Makes a program believe that an old Node runs it. The server also lacks a function of Node 20. */
const OLD_NODE = `data:text/javascript,
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });
  delete Array.prototype.toReversed;`;

function run(program: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", OLD_NODE, program, ...args], {
    input: "",
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test.each(["cli/bin/tenon.js", "create-mcp-server/bin/create-mcp-server.js"])(
  "%s names the required version of Node",
  (program) => {
    expect(run(join(packages, program), "--version")).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error  Tenon requires Node 20.19 or newer, but this is Node 18.20.8.\n" +
        "hint   Install Node 24 from https://nodejs.org, or with `nvm install 24`.\n",
    });
  },
);

test("a built server names the required version of Node instead of the function that an older Node lacks", async () => {
  const built = await buildServer({
    "src/shop.ts": `import { Tool } from "@tenon/runtime";
      export class Shop {
        /** Opens the shop. */
        @Tool() open(): string { return ""; }
      }`,
  });
  try {
    expect(run(built.program)).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "The server cannot start.\n\nIt requires Node 20.16 or newer, but this is Node 18.20.8. " +
        "Install Node 24 from https://nodejs.org.\n",
    });
  } finally {
    built.remove();
  }
});
