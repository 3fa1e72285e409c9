/**
 * What starts with every server over stdio: clients start one for each conversation, so each file and module counts.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const packages = join(import.meta.dirname, "../../packages");

/** Three tools with nothing special about them. */
const PLAIN = `
  import { Tool } from "@tenon/runtime";
  interface Filters { tags?: string[]; /** @minimum 1900 */ since?: number }
  interface Found { title: string; score: number }
  export class Plain {
    /** Adds. @param a First */
    @Tool({ readOnly: true }) add(a: number, b: number): string { return String(a + b); }
    /** Searches. */
    @Tool({ readOnly: true }) search(query: string, limit = 10, filters?: Filters): { found: Found[] } {
      return { found: [{ title: query + limit + String(filters?.since), score: 1 }] };
    }
    @Tool() document(): string { return "text"; }
  }
`;

let project: ProjectFolder;
let dist: string;

beforeAll(() => {
  project = projectFolder({ "src/plain.ts": PLAIN });
  execFileSync(process.execPath, [join(packages, "cli/bin/tenon.js"), "build", project.root]);
  dist = realpathSync(join(project.root, "dist"));
});
afterAll(() => project.remove());

const message = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

const CONVERSATION =
  message(1, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }) +
  message(2, "tools/list", {}) +
  message(3, "tools/call", { name: "add", arguments: { a: 1, b: 2 } });

/** Runs a conversation to its end and returns what the process wrote to stderr. */
function converse(args: readonly string[], env: Record<string, string> = {}): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...args, join(dist, "server.js")], {
    encoding: "utf8",
    input: CONVERSATION,
    env: { ...process.env, ...env },
  });
  expect({ status, answers: stdout.trim().split("\n").length }, stderr).toEqual({ status: 0, answers: 3 });
  return stderr;
}

/** The names of chunks end in a hash of what is in them. */
function withoutHash(file: string): string {
  return file.replace(/-[A-Z0-9]{8}\.js$/, ".js");
}

describe("a conversation over stdio", () => {
  test("loads four files: the entry, the server, its validators, and what it shares with HTTP", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-coverage-"));
    try {
      converse([], { NODE_V8_COVERAGE: folder });
      const prefix = pathToFileURL(dist).href;
      const loaded = readdirSync(folder).flatMap((name) => {
        const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
          result: { url: string }[];
        };
        return result.map(({ url }) => url).filter((url) => url.startsWith(prefix));
      });
      expect(loaded.map((url) => withoutHash(basename(url))).sort()).toEqual([
        "app.js",
        "chunk.js",
        "server.js",
        "validators.js",
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("loads neither cryptography nor HTTP of Node's", () => {
    const report = "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))";
    const stderr = converse(["--import", `data:text/javascript,${encodeURIComponent(report)}`]);
    const modules = stderr.split("\n").map((line) => line.replace("NativeModule ", ""));
    expect(modules).toContain("stream");
    expect(modules.filter((name) => ["crypto", "http", "https", "tls", "zlib"].includes(name))).toEqual([]);
  });
});

describe("the bundle of three plain tools", () => {
  test("holds nothing of npm, since no decorator is left in it that records anything", () => {
    const sources = readdirSync(dist)
      .filter((file) => file.endsWith(".js.map"))
      .flatMap(
        (file) => (JSON.parse(readFileSync(join(dist, file), "utf8")) as { sources: string[] }).sources,
      );
    expect(sources.some((source) => source.includes("transports/stdio/stdio"))).toBe(true);
    expect(sources.filter((source) => source.includes("reflect-metadata"))).toEqual([]);
  });

  test("takes at most 141 KiB when it is minified, HTTP included", async () => {
    const { outputFiles } = await build({
      entryPoints: [join(dist, "server.js")],
      outdir: join(project.root, "minified"),
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "node",
      target: "node20",
      write: false,
    });
    const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
    expect(bytes / 1024).toBeLessThan(141);
    // A bundle that holds nothing would be small too.
    expect(bytes / 1024).toBeGreaterThan(20);
  });
});
