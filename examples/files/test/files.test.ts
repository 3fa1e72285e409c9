import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect, type TestOptions } from "@tenon/cli/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Directories } from "../src/directories.js";
import { FolderTools } from "../src/folder-tools.js";
import { ReadTools } from "../src/read-tools.js";
import { WriteTools } from "../src/write-tools.js";
import { makeSample, type Sample } from "./sample.js";

let sample: Sample;
beforeEach(() => {
  sample = makeSample();
});
afterEach(() => sample.remove());

/** Connects to the server with the sample's directory instead of the configured ones. */
function serve(options: TestOptions = {}) {
  const directories = new Directories([sample.data]);
  return connect(new URL("..", import.meta.url), {
    provide: [new ReadTools(directories), new FolderTools(directories), new WriteTools(directories)],
    ...options,
  });
}

test("the server reads, edits, and moves files", async () => {
  const { tools, close } = await serve();
  await tools.write_file({ path: "docs/black.txt", content: "assam\nceylon\n" });
  await tools.edit_file({ path: "docs/black.txt", edits: [{ oldText: "ceylon", newText: "darjeeling" }] });
  await tools.move_file({ source: "docs/black.txt", destination: "empty/black.txt" });
  expect(await tools.read_text_file({ path: "empty/black.txt", tail: 1 })).toEqual({
    content: "darjeeling",
  });
  await close();
});

describe("the server stays in its directories", () => {
  test.each([
    "/etc/passwd",
    "../database/secret.txt",
    "docs/../../database/secret.txt",
    "out/secret.txt",
    "out/../database/secret.txt",
    "secret.txt",
    "papers/../../database/secret.txt",
    "~/../../etc/passwd",
  ])("%s", async (path) => {
    const { tools, close } = await serve();
    for (const there of [path, join(sample.data, path)]) {
      await expect(tools.read_text_file({ path: there })).rejects.toThrow(/Access denied|no such file/);
      await expect(tools.write_file({ path: there, content: "" })).rejects.toThrow(
        /Access denied|no such file/,
      );
      await expect(tools.move_file({ source: "readme.md", destination: there })).rejects.toThrow();
    }
    await expect(tools.read_text_file({ path: `${sample.data}base/secret.txt` })).rejects.toThrow(
      "Access denied",
    );
    expect(readFileSync(join(sample.database, "secret.txt"), "utf8")).toBe("secret");
    await close();
  });

  test.runIf(process.platform === "linux")("while another process swaps a directory for a link", async () => {
    const { tools, close } = await serve();
    mkdirSync(join(sample.data, "swap"));
    writeFileSync(join(sample.data, "swap/secret.txt"), "public");
    const swapper = spawn(process.execPath, ["-e", SWAP, sample.data, sample.database]);
    await new Promise((resolve) => {
      swapper.stdout.once("data", resolve);
    });
    const seen = new Set<string>();
    for (let round = 0; round < 50 || !seen.has("public"); round++) {
      const calls = [
        tools.read_text_file.result({ path: "swap/secret.txt" }),
        tools.read_text_file.result({ path: "swap/secret.txt", head: 1 }),
        tools.list_directory.result({ path: "swap" }),
        tools.write_file.result({ path: "swap/written.txt", content: "" }),
        tools.create_directory.result({ path: "swap/made" }),
      ];
      for (const { structuredContent, isError } of await Promise.all(calls)) {
        seen.add(isError ? "rejected" : (structuredContent as { content: string }).content);
      }
    }
    swapper.kill();
    await close();
    expect([...seen].filter((text) => /^secret$|outside/.test(text))).toEqual([]);
    expect(existsSync(join(sample.database, "written.txt"))).toBe(false);
    expect(existsSync(join(sample.database, "made"))).toBe(false);
  });
});

/**
 * Replaces a directory with a link, and restores it, until the process is stopped. The pauses differ, so that every
 * state meets every step of a call, even on a machine with one free core.
 */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [data, database] = process.argv.slice(1);
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 2);
console.log("ready");
for (;;) {
  pause();
  renameSync(data + "/swap", data + "/away");
  symlinkSync(database, data + "/swap");
  pause();
  unlinkSync(data + "/swap");
  renameSync(data + "/away", data + "/swap");
}`;

test("the server reads only regular files, up to its limit", async () => {
  const { tools, close } = await serve();
  execFileSync("mkfifo", [join(sample.data, "pipe")]);
  await expect(tools.read_text_file({ path: "pipe" })).rejects.toThrow("a pipe");
  writeFileSync(join(sample.data, "large.txt"), "line\n".repeat(1_000_000));
  await expect(tools.read_text_file({ path: "large.txt" })).rejects.toThrow("Use head or tail");
  expect(await tools.read_text_file({ path: "large.txt", tail: 2 })).toEqual({ content: "line\nline" });
  await close();
});

test.each(["2025-06-18", "2026-07-28"])(
  "a client's roots restrict what it may use, in %s",
  async (revision) => {
    const roots = ["docs", "../database"].map((path) => ({
      uri: pathToFileURL(join(sample.data, path)).href,
    }));
    const { tools, close } = await serve({ revision, answers: { roots } });
    const { content } = await tools.list_allowed_directories();
    expect(content).toBe(`Allowed directories:\n${join(sample.data, "docs")}`);
    await expect(tools.read_text_file({ path: join(sample.data, "readme.md") })).rejects.toThrow(
      "Access denied",
    );
    expect(await tools.read_text_file({ path: "green.txt", head: 1 })).toEqual({ content: "sencha" });
    await close();
  },
);

test("the server works with the official client", async () => {
  const client = new Client({ name: "check", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const env = { FILES_DIRECTORIES: sample.data };
  const server = join(import.meta.dirname, "../dist/server.js");
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], env }));
  expect((await client.listTools()).tools).toHaveLength(14);
  const read = await client.callTool({ name: "read_media_file", arguments: { path: "cup.png" } });
  expect(read).toMatchObject({ content: [{ type: "image", mimeType: "image/png" }] });
  await client.close();
});
