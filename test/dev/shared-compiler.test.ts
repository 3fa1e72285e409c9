/** `inspect`, `check`, and `call` while `tenon dev` serves the same project. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ProjectFolder, projectFolder, tsconfig } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { type DevProcess, program, startDev } from "./dev-process.js";

const FILES = {
  "package.json": JSON.stringify({ name: "sample", version: "1.0.0", type: "module" }),
  "tsconfig.json": tsconfig({ jsx: "react-jsx" }),
  "src/shop.ts": `
import { Tool } from "@tenon/runtime";
import type { Size } from "sizes";
import { base } from "./base.js";

export class Shop {
  /** Returns the price of a size. */
  @Tool()
  price(size: Size): number {
    return base + size.length;
  }
}
`,
  "src/base.ts": "export const base = 100;\n",
  "node_modules/sizes/package.json": JSON.stringify({ name: "sizes", version: "1.0.0", types: "index.d.ts" }),
  "node_modules/sizes/index.d.ts": `export type Size = "small" | "large";\n`,
};

const SHARED = /^`tenon dev` \(process \d+\) compiled the project, because /;
const COMPILED = /^Compiled the project, because /;

function createProject(): ProjectFolder {
  return projectFolder(FILES, ["@tenon", "@types", "undici-types", "reflect-metadata"]);
}

interface Output {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command as in another terminal. */
function tenon(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });
  const output: Output = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  return new Promise((done) => {
    child.on("close", (code) => done({ ...output, code }));
  });
}

async function startReady(root: string, ...args: string[]): Promise<DevProcess> {
  const dev = startDev(root, "--port", "0", ...args);
  started.push(dev);
  await dev.waitForOutput(/ready in/);
  return dev;
}

const started: DevProcess[] = [];

async function stopAll(): Promise<void> {
  for (const each of started.splice(0)) {
    each.kill();
    await each.exited;
  }
}

const inspect = (root: string): Promise<Output> => tenon(root, ["inspect", "--json", "--verbose"]);
const call = (root: string, size = "small"): Promise<Output> =>
  tenon(root, ["call", "--json", "--verbose", "price", `size=${size}`]);

/** Returns the list from a process without a dev server, since its environment is different. */
async function inspectAlone(root: string): Promise<string> {
  vi.stubEnv("NODE_PATH", join(root, "elsewhere"));
  const terminal = recordingTerminal(root);
  await run(["inspect", "--json", "--verbose"], terminal);
  vi.unstubAllEnvs();
  expect(terminal.stderr()).toMatch(COMPILED);
  return terminal.stdout();
}

/** Changes that are made one after another, each immediately before the commands, with the price of `small` after each. */
const CHANGES: Record<string, [price: number, change: (project: ProjectFolder) => void]> = {
  "an edited body": [205, ({ write }) => write({ "src/base.ts": "export const base = 200;\n" })],
  "an edit that restores it": [105, ({ write }) => write({ "src/base.ts": "export const base = 100;\n" })],
  "an edit that keeps size and time": [
    305,
    ({ root, write }) => {
      write({ "src/base.ts": "export const base = 300;\n" });
      utimesSync(join(root, "src/base.ts"), 1, 1);
    },
  ],
  "a changed type": [
    305,
    ({ root }) => replace(root, "src/shop.ts", "size: Size", "size: Size, /** Includes tax */ gross = true"),
  ],
  "an added source": [
    305,
    ({ write }) =>
      write({
        "src/more.ts": `import { Tool } from "@tenon/runtime";\nexport class More {\n  /** Counts. */\n  @Tool()\n  count(): number { return 1; }\n}\n`,
      }),
  ],
  "a moved source": [305, ({ root }) => renameSync(join(root, "src/more.ts"), join(root, "src/others.ts"))],
  "a deleted source": [305, ({ root }) => rmSync(join(root, "src/others.ts"))],
  "the types of a dependency": [
    305,
    ({ root }) => replace(root, "node_modules/sizes/index.d.ts", '"large"', '"medium" | "large"'),
  ],
  "the entry of a dependency": [
    305,
    ({ root, write }) => {
      write({ "node_modules/sizes/next.d.ts": `export type Size = "small" | "huge";\n` });
      replace(root, "node_modules/sizes/package.json", "index.d.ts", "next.d.ts");
    },
  ],
  "tsconfig.json": [305, ({ root }) => replace(root, "tsconfig.json", '"strict":true', '"strict":false')],
  "package.json": [305, ({ root }) => replace(root, "package.json", "1.0.0", "1.1.0")],
  "an imported file that another one replaces": [
    405,
    ({ root, write }) => {
      rmSync(join(root, "src/base.ts"));
      write({ "src/base.tsx": "export const base = 400;\n" });
    },
  ],
};

function replace(root: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(root, path), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(root, path), text.replace(from, to));
}

describe("commands immediately after a change", () => {
  let project: ProjectFolder;
  beforeAll(async () => {
    project = createProject();
    await startReady(project.root);
  }, 60_000);
  afterAll(async () => {
    await stopAll();
    project.remove();
  });

  it.each(Object.entries(CHANGES))(
    "to %s show the current files",
    async (_, [price, change]) => {
      const { root } = project;
      change(project);
      const [inspected, called] = [await inspect(root), await call(root)];
      expect(inspected.err).toMatch(SHARED);
      expect(called.err).toMatch(SHARED);
      expect(called.out).toContain(`"structuredContent": ${price},`);
      expect(inspected.out).toBe(await inspectAlone(root));
    },
    120_000,
  );

  it("check tests as they are on disk", async () => {
    const { root, write } = project;
    const check = (): Promise<Output> => tenon(root, ["check", "--verbose"]);
    write({
      "test/tsconfig.json": JSON.stringify({ extends: "../tsconfig.json", include: ["."] }),
      "test/shop.test.ts": "export const count: number = 1;\n",
    });
    expect((await check()).err).not.toContain("TS2322");
    write({ "test/shop.test.ts": 'export const count: number = "";\n' });
    expect((await check()).err).toContain("TS2322");
    write({ "test/shop.test.ts": "export const count: number = 2;\n" });
    const { err } = await check();
    expect(err).toMatch(SHARED);
    expect(err).not.toContain("TS2322");
  }, 120_000);

  it("can run concurrently, and reuse the result", async () => {
    const { root } = project;
    project.write({ "src/base.tsx": "export const base = 600;\n" });
    const outputs = await Promise.all([
      call(root),
      call(root),
      inspect(root),
      tenon(root, ["check", "--verbose"]),
    ]);
    for (const { err } of outputs) expect(err).toMatch(/^(?:`tenon dev`|Reused the last compilation)/);
    expect(outputs[0]?.out).toContain("605");
    expect(outputs[1]?.out).toContain("605");
    expect((await call(root)).err).toMatch(/^Reused the last compilation/);
  }, 120_000);
});

describe("commands compile the project themselves", () => {
  let project: ProjectFolder;
  beforeAll(() => {
    project = createProject();
  });
  afterEach(stopAll);
  afterAll(() => project.remove());

  it("after tenon dev was killed, or has ended", async () => {
    const { root } = project;
    const dev = await startReady(root);
    project.write({ "src/base.ts": "export const base = 200;\n" });
    expect((await call(root)).err).toMatch(SHARED);
    dev.signal("SIGKILL");
    await dev.exited;
    expect(existsSync(findAddress(root, dev))).toBe(true);
    project.write({ "src/base.ts": "export const base = 300;\n" });
    const afterKill = await call(root);
    expect(afterKill).toMatchObject({ code: 0, out: expect.stringContaining("305") as unknown });
    expect(afterKill.err).toMatch(/^Compiled the project, because src\/base.ts has changed\. This took/);
    const next = await startReady(root);
    expect(existsSync(findAddress(root, dev))).toBe(false);
    next.signal("SIGTERM");
    await next.exited;
    expect(existsSync(findAddress(root, next))).toBe(false);
  }, 120_000);

  it("while tenon dev is suspended", async () => {
    const { root } = project;
    const dev = await startReady(root);
    dev.signal("SIGSTOP");
    project.write({ "src/base.ts": "export const base = 400;\n" });
    const { out, err } = await call(root);
    dev.signal("SIGCONT");
    expect(out).toContain("405");
    expect(err).toMatch(/^Compiled .*and `tenon dev` \(process \d+\) did not, because it does not reply\./);
  }, 120_000);

  it("with another environment, another profile, or after packages were installed", async () => {
    const { root } = project;
    await startReady(root);
    project.write({ "src/base.ts": "export const base = 500;\n" });
    expect(await inspectAlone(root)).toContain('"price"');
    const checked = await tenon(root, ["check", "--verbose", "--profile", "gemini"]);
    expect(checked.err).toContain("because its version, settings, or environment is different");
    project.write({ "node_modules/.package-lock.json": "{}" });
    const { out, err } = await call(root);
    expect(out).toContain("505");
    expect(err).toContain("because it started before packages were installed");
  }, 120_000);

  it("in another project", async () => {
    const other = createProject();
    try {
      const [dev] = [await startReady(project.root), await startReady(other.root)];
      other.write({ "src/base.ts": "export const base = 700;\n" });
      project.write({ "src/base.ts": "export const base = 600;\n" });
      const [own, others] = await Promise.all([call(project.root), call(other.root)]);
      expect(own.out).toContain("605");
      expect(others.out).toContain("705");
      dev.kill();
      await dev.exited;
      project.write({ "src/base.ts": "export const base = 800;\n" });
      expect((await call(project.root)).err).toMatch(COMPILED);
      expect((await call(other.root)).err).toMatch(/^Reused/);
    } finally {
      await stopAll();
      other.remove();
    }
  }, 120_000);
});

describe("in sources with errors", () => {
  it.each([
    ["syntax errors", "export const base = ;\n", "Expression expected"],
    ["type errors", "export const base: number = 1;\nexport type Size = symbol;\n", "symbol"],
  ])(
    "%s are shown by each command",
    async (_, base, message) => {
      const project = createProject();
      const { root } = project;
      try {
        const dev = await startReady(root);
        replace(root, "src/shop.ts", 'import type { Size } from "sizes";\n', "");
        replace(root, "src/shop.ts", "{ base }", "{ base, type Size }");
        project.write({ "src/base.ts": base });
        for (const args of [["inspect"], ["check"], ["call", "price", "size=small"]]) {
          const { code, out, err } = await tenon(root, [...args, "--verbose"]);
          expect(code).toBe(1);
          expect(out + err).toContain(message);
          expect(err).toMatch(SHARED);
        }
        dev.forget();
        project.write({ "src/base.ts": `export const base = 100;\nexport type Size = "small";\n` });
        const { code, out, err } = await call(root);
        expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(SHARED) as unknown });
        expect(out).toContain("105");
      } finally {
        await stopAll();
        project.remove();
      }
    },
    120_000,
  );
});

describe("the service of tenon dev", () => {
  it("can be used only by programs that can read its address, not by web pages", async () => {
    const project = createProject();
    const { root } = project;
    try {
      const dev = await startReady(root);
      const path = findAddress(root, dev);
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
      const { port, token } = JSON.parse(readFileSync(path, "utf8")) as { port: number; token: string };
      const post = (headers: Record<string, string>, body = "{}"): Promise<number | undefined> =>
        new Promise((done, fail) => {
          const sent = request({ host: "127.0.0.1", port, path: "/compute", method: "POST", headers });
          sent.once("response", (response) => done(response.resume().statusCode));
          sent.once("error", fail);
          sent.end(body);
        });
      const authorization = `Bearer ${token}`;
      expect(await post({})).toBe(403);
      expect(await post({ authorization: "Bearer other" })).toBe(403);
      expect(await post({ authorization, host: "example.com" })).toBe(403);
      expect(await post({ authorization, origin: "http://example.com" })).toBe(403);
      expect(await post({ authorization })).toBe(400);
      expect(await post({ authorization }, '{"name":"constructor","options":{},"key":"","pid":1}')).toBe(400);
      expect(await post({ authorization }, '{"name":"inspect","options":{},"key":"","pid":1}')).toBe(200);
    } finally {
      await stopAll();
      project.remove();
    }
  }, 120_000);

  it("is ignored if another program replies at its address", async () => {
    const project = createProject();
    const { root } = project;
    const other = createServer((_, reply) => reply.end());
    try {
      await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
      const { port } = other.address() as AddressInfo;
      await call(root);
      project.write({
        "src/base.ts": "export const base = 900;\n",
        [`.tenon/dev/${process.pid}/service.json`]: JSON.stringify({ port, token: "" }),
      });
      const { out, err } = await call(root);
      expect(out).toContain("905");
      expect(err).toMatch(COMPILED);
    } finally {
      other.close();
      project.remove();
    }
  }, 120_000);
});

function findAddress(root: string, { pid }: DevProcess): string {
  return join(root, ".tenon/dev", String(pid), "service.json");
}
