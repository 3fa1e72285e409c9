/**
 * Modules that every server over stdio loads at start: clients start one for each conversation, so each file counts.
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

/** Three plain tools. */
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

const START =
  message(1, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }) + message(2, "tools/list", {});

const CONVERSATION = START + message(3, "tools/call", { name: "add", arguments: { a: 1, b: 2 } });

/** Runs a conversation to its end and returns what the process wrote to stderr. */
function converse(args: readonly string[], env: Record<string, string> = {}, input = CONVERSATION): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...args, join(dist, "server.js")], {
    encoding: "utf8",
    input,
    env: { ...process.env, ...env },
  });
  const answers = input.trim().split("\n").length;
  expect({ status, answers: stdout.trim().split("\n").length }, stderr).toEqual({ status: 0, answers });
  return stderr;
}

/** Removes the hash of the content at the end of a chunk's name. */
function withoutHash(file: string): string {
  return file.replace(/-\w{8}\.js$/, ".js");
}

/** Runs a conversation, and returns the names of the files of the build that the server has loaded. */
function findLoadedFiles(input: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tenon-coverage-"));
  try {
    converse([], { NODE_V8_COVERAGE: folder }, input);
    const prefix = pathToFileURL(dist).href;
    return readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
        result: { url: string }[];
      };
      return result.flatMap(({ url }) => (url.startsWith(prefix) ? basename(url) : []));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the modules of the runtime in files of the build, such as `server.js` or `data/results/tool-result.js`. */
function modulesIn(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const { sources } = JSON.parse(readFileSync(join(dist, `${file}.map`), "utf8")) as { sources: string[] };
    return sources.flatMap((source) => /\/runtime\/(?:dist|src)\/(.*)\.[jt]s$/.exec(source)?.[1] ?? []);
  });
}

/** Modules that a list does not need: each is loaded with the first call, with `--http`, or if the server uses it. */
const NOT_AT_START =
  /^(?:data\/(?:validation\/(?:compiled|json)|conversion\/(?:coercion|conversion|reconsider)|explanations\/issues|problems\/(?:keywords\/|search))|transports\/http\/(?:node|web|sse|exchange|endpoint|sessions)|access\/(?:auth\/(?:tokens|dpop|exchange|authenticator)|encryption\/encryption)|call\/(?:tasks|questions|steps|durable|input\/(?:create|legacy|replay\/(?:replay|state)))|observe\/(?:metrics|telemetry)|cluster\/|store\/memory)/;

describe("a conversation over stdio", () => {
  test("loads three files before the first call: the entry, the server, and what it shares with HTTP", () => {
    const files = findLoadedFiles(START);
    expect(files.map(withoutHash).sort()).toEqual(["app.js", "chunk.js", "server.js"]);
    const modules = modulesIn(files);
    expect(modules).toContain("transports/stdio/stdio");
    expect(modules.filter((name) => NOT_AT_START.test(name))).toEqual([]);
  });

  test("loads a tool's validators and explanations with its first call", () => {
    const files = findLoadedFiles(CONVERSATION);
    const names = ["app.js", "checks.js", "chunk.js", "server.js", "validators.js"];
    expect(files.map(withoutHash).sort()).toEqual(names);
    expect(modulesIn(files.filter((file) => !file.startsWith("validators")))).toContain(
      "data/explanations/issues",
    );
  });

  test("loads neither node:crypto nor node:http", () => {
    const report = "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))";
    const stderr = converse(["--import", `data:text/javascript,${encodeURIComponent(report)}`]);
    const modules = stderr.split("\n").map((line) => line.replace("NativeModule ", ""));
    expect(modules).toContain("stream");
    expect(modules.filter((name) => ["crypto", "http", "https", "tls", "zlib"].includes(name))).toEqual([]);
  });
});

test.each([
  ["without the exchange of tokens", "oauth", false],
  ["with the exchange of tokens, if it is configured", "oauth, tokenExchange", true],
])("authentication is bundled %s", async (_, names, isIncluded) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${names} } from "@tenon/runtime/auth"; export default { ${names} };`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    external: ["jose"],
    write: false,
  });
  const [{ text = "" } = {}] = outputFiles;
  expect(text).toContain("oauth-protected-resource");
  expect(text.includes("grant-type:")).toBe(isIncluded);
});

describe("the bundle of three plain tools", () => {
  test("contains nothing from npm, since no decorator in it records anything", () => {
    const sources = readdirSync(dist)
      .filter((file) => file.endsWith(".js.map"))
      .flatMap(
        (file) => (JSON.parse(readFileSync(join(dist, file), "utf8")) as { sources: string[] }).sources,
      );
    expect(sources.some((source) => source.includes("transports/stdio/stdio"))).toBe(true);
    expect(sources.filter((source) => source.includes("reflect-metadata"))).toEqual([]);
  });

  test("takes at most 180 KiB when it is minified, HTTP included", async () => {
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
    expect(bytes / 1024).toBeLessThan(180);
    // An empty bundle would be small too.
    expect(bytes / 1024).toBeGreaterThan(20);
  });
});
