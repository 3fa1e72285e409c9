/**
 * What starts with every server over stdio: clients start one for each conversation, so each module counts.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../packages/runtime/dist", import.meta.url));
const weather = fileURLToPath(new URL("../../examples/weather/dist/server.js", import.meta.url));

/** What an emitted server loads before it answers the first message. */
const STARTS = ["stdout-guard.js", "server.js", "validation.js", "serve.js", "transports/stdio.js"];

const STATIC_IMPORT = /^(?:import|export)\s*(?:[\w\s{},*$]+\bfrom\s*)?["']([^"'\n]+)["'];/gm;

/** All that these modules import, and what that imports; nothing that waits for an `import()`. */
function loaded(starts: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
      if (name.startsWith(".")) visit(resolve(dirname(file), name));
      else packages.add(name);
    }
  };
  for (const start of starts) visit(join(dist, start));
  return { files, packages };
}

test("a server over stdio imports no module of Node and nothing of HTTP", () => {
  const { files, packages } = loaded(STARTS);
  expect([...packages]).toEqual([]);
  const names = [...files].map((file) => relative(dist, file));
  expect(names).toContain(join("transports", "stdio.js"));
  expect(names.filter((name) => /http|testing/.test(basename(name)))).toEqual([]);
});

test("a conversation over stdio loads neither cryptography nor HTTP", () => {
  const report = "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))";
  const message = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(report)}`, weather],
    {
      encoding: "utf8",
      input:
        message(1, "initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        }) +
        message(2, "tools/list", {}) +
        message(3, "tools/call", { name: "current", arguments: { city: "Oslo" } }),
    },
  );
  expect({ status, answers: stdout.trim().split("\n").length }).toEqual({ status: 0, answers: 3 });
  const modules = stderr.split("\n").map((line) => line.replace("NativeModule ", ""));
  expect(modules).toContain("stream");
  expect(modules.filter((name) => ["crypto", "http", "https", "tls", "zlib"].includes(name))).toEqual([]);
});
