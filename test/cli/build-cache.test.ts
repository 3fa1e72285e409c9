import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
// Internal: no test can replace the installed version of Tenon, which is part of the key of each record.
import { identifyTools } from "../../packages/cli/src/cache/installation.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const REUSED = "Reused the last compilation, because nothing has changed.\n";
const COMPILED_FIRST = "Compiled the project, because no earlier compilation was kept.\n";

const PRICE_15: unknown = expect.stringContaining('"price": 15');

const FILES = {
  "package.json": JSON.stringify({ name: "sample", version: "1.0.0", type: "module" }),
  "tsconfig.json": JSON.stringify({
    ...JSON.parse(tsconfig({ jsx: "react-jsx", jsxImportSource: "preact" })),
    extends: "./tsconfig.base.json",
  }),
  "tsconfig.base.json": JSON.stringify({ compilerOptions: { resolveJsonModule: true } }),
  "src/shop.ts": `
import { Tool } from "@tenon/runtime";
import type { Size } from "sizes";
import { type Unit, unit } from "./unit.js";
import prices from "./prices.json" with { type: "json" };

export class Shop {
  /** Returns the price of a size. */
  @Tool({ view: "./price.view.tsx" })
  price(size: Size, currency: Unit): { price: number; currency: string } {
    return { price: prices.base + size.length, currency: currency + unit };
  }
}
`,
  "src/unit.ts": `export type Unit = "euro" | "franc";\nexport const unit = "s";\n`,
  "src/prices.json": JSON.stringify({ base: 10 }),
  "src/price.view.tsx": `
import type { ViewProps } from "@tenon/runtime/view";
import { label } from "./label.js";
export default function Price({ result }: ViewProps<"price">) {
  return <p>{label} {result?.price}</p>;
}
`,
  "src/label.ts": `export const label = "Price:";\n`,
  "src/server.ts": `
import { defineServer } from "@tenon/runtime";
export default defineServer({ instructions: { file: "./instructions.md" } });
`,
  "src/instructions.md": "Prices are without tax.",
  "skills/discounts/SKILL.md": `---\nname: discounts\ndescription: Explains discounts.\n---\n\nUse \`price\` first.\n`,
  "node_modules/sizes/package.json": JSON.stringify({ name: "sizes", version: "1.0.0", types: "index.d.ts" }),
  "node_modules/.package-lock.json": "{}",
  "node_modules/sizes/index.d.ts": `export type Size = "small" | "large";\n`,
};

let project: ProjectFolder;

beforeAll(() => {
  project = projectFolder(FILES, ["@tenon", "@types", "preact", "undici-types", "reflect-metadata"]);
});
afterAll(() => project.remove());
// `--verbose` sets a variable for the rest of the process, which other tests share.
beforeEach(() => vi.stubEnv("TENON_VERBOSE", ""));
afterEach(() => vi.unstubAllEnvs());

interface Output {
  code: number;
  out: string;
  err: string;
}

async function tenon(...args: string[]): Promise<Output> {
  const terminal = recordingTerminal(project.root);
  const code = await run(args, terminal);
  return { code, out: terminal.stdout(), err: withoutTime(terminal.stderr()) };
}

/** Removes the time that a report contains. */
function withoutTime(text: string): string {
  return text.replace(/ This took \d+ ms\./, "");
}

/** Calls the tool in a separate process, which loads the server like any other. */
function call(): Promise<Output> {
  const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");
  const args = [program, "call", "--verbose", "--json", "price", "size=small", "currency=euro"];
  const child = spawn(process.execPath, args, { cwd: project.root });
  const output = { code: 0, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  return new Promise((done) => {
    child.on("close", (code) => done({ ...output, err: withoutTime(output.err), code: code ?? 1 }));
  });
}

function read(path: string): string {
  return readFileSync(join(project.root, path), "utf8");
}

function replace(path: string, from: string, to: string): void {
  const text = read(path);
  expect(text).toContain(from);
  writeFileSync(join(project.root, path), text.replace(from, to));
}

function rename(from: string, to: string): void {
  renameSync(join(project.root, from), join(project.root, to));
}

function findRecord(command: string): string {
  const folder = join(project.root, ".tenon/cache");
  const name = readdirSync(folder).find((each) => each.startsWith(`${command}-`));
  return join(folder, String(name));
}

/** Changes of a project, with the path that the report names. They are made one after another. */
const CHANGES: Record<string, [path: string, change: () => void]> = {
  "an edited source": ["src/unit.ts", () => replace("src/unit.ts", '"franc"', '"krone"')],
  "an edit that keeps size and time": [
    "src/unit.ts",
    () => {
      replace("src/unit.ts", '"krone"', '"pound"');
      utimesSync(join(project.root, "src/unit.ts"), 1, 1);
    },
  ],
  "an added source": [
    "src",
    () =>
      project.write({
        "src/more.ts": `import { Tool } from "@tenon/runtime";\nexport class More {\n  /** Counts. */\n  @Tool()\n  count(): number { return 1; }\n}\n`,
      }),
  ],
  "a moved source": ["src", () => rename("src/more.ts", "src/others.ts")],
  "a deleted source": ["src", () => rmSync(join(project.root, "src/others.ts"))],
  "an imported JSON file": [
    "src/prices.json",
    () => replace("src/prices.json", '"base":10', '"base":10,"extra":1'),
  ],
  "tsconfig.json": [
    "tsconfig.json",
    () => replace("tsconfig.json", '"strict":true', '"strict":true,"noImplicitAny":true'),
  ],
  "a file that tsconfig.json extends": [
    "tsconfig.base.json",
    () => replace("tsconfig.base.json", "true", 'true,"removeComments":true'),
  ],
  "package.json": ["package.json", () => replace("package.json", "1.0.0", "1.1.0")],
  "the types of a dependency": [
    "node_modules/sizes/index.d.ts",
    () => replace("node_modules/sizes/index.d.ts", '"large"', '"medium" | "large"'),
  ],
  "the version of a dependency": [
    "node_modules/sizes/package.json",
    () => replace("node_modules/sizes/package.json", "1.0.0", "1.0.1"),
  ],
  "an installation": [
    "node_modules/.package-lock.json",
    () => project.write({ "node_modules/.package-lock.json": "{ }" }),
  ],
  "a skill": [
    "skills/discounts/SKILL.md",
    () => replace("skills/discounts/SKILL.md", "discounts.", "rebates."),
  ],
  "an added skill": [
    "skills",
    () =>
      project.write({
        "skills/taxes/SKILL.md": `---\nname: taxes\ndescription: Explains taxes.\n---\n\nText.\n`,
      }),
  ],
  "a file with instructions": [
    "src/instructions.md",
    () => replace("src/instructions.md", "without", "with"),
  ],
  "a missing file that is created": [
    "src/unit.tsx",
    () => project.write({ "src/unit.tsx": `export type Unit = "yen";\nexport const unit = "";\n` }),
  ],
};

describe("an unchanged project", () => {
  it("is compiled once by inspect, and prints the same again", async () => {
    const first = await tenon("inspect", "--verbose");
    expect(first.err).toBe(COMPILED_FIRST);
    const second = await tenon("inspect", "--verbose");
    expect(second).toEqual({ ...first, err: REUSED });
    expect((await tenon("inspect", "--json")).out).toContain('"name": "price"');
  }, 120_000);

  it("is reused after a file was only touched", async () => {
    utimesSync(join(project.root, "src/unit.ts"), 1, 1);
    expect((await tenon("inspect", "--verbose")).err).toBe(REUSED);
  }, 120_000);

  it("is reused after a test runner has created its folder in node_modules", async () => {
    project.write({ "node_modules/.vite/vitest/results.json": "{}" });
    expect((await tenon("inspect", "--verbose")).err).toBe(REUSED);
  }, 120_000);
});

describe("inspect compiles again after a change to", () => {
  it.each(Object.entries(CHANGES))(
    "%s",
    async (name, [path, change]) => {
      await tenon("inspect");
      change();
      const { err, out } = await tenon("inspect", "--verbose");
      expect(err).toMatch(
        /^Compiled the project, because \S+ (?:has|and \d+ other inputs? have) changed\.\n$/,
      );
      if (!name.startsWith("a missing")) expect(err).toContain(path);
      rmSync(join(project.root, ".tenon/cache"), { recursive: true });
      expect((await tenon("inspect")).out).toBe(out);
    },
    120_000,
  );

  it("several files, of which the report names a source", async () => {
    await tenon("inspect");
    project.write({ "node_modules/.package-lock.json": "{  }" });
    replace("tsconfig.base.json", '"removeComments":true', '"removeComments":false');
    replace("src/unit.ts", '"pound"', '"crown"');
    const { err } = await tenon("inspect", "--verbose");
    expect(err).toContain("because src/unit.ts and 2 other inputs have changed.");
  }, 120_000);

  it("an environment variable that module resolution reads", async () => {
    await tenon("inspect");
    vi.stubEnv("NODE_PATH", project.root);
    expect((await tenon("inspect", "--verbose")).err).toContain("an environment variable has changed");
  }, 120_000);

  it("Tenon itself", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-package-"));
    mkdirSync(join(folder, "dist"));
    const identify = (text: string): string => {
      writeFileSync(join(folder, "dist/index.js"), text);
      return identifyTools([join(folder, "dist")]);
    };
    expect(identify("1")).not.toBe(identify("22"));
    rmSync(folder, { recursive: true });
  });

  it("the target of a link", async () => {
    const dependency = join(project.root, "node_modules/sizes");
    renameSync(dependency, join(project.root, "sizes-1"));
    symlinkSync(join(project.root, "sizes-1"), dependency);
    project.write({
      "sizes-2/package.json": read("sizes-1/package.json"),
      "sizes-2/index.d.ts": read("sizes-1/index.d.ts"),
    });
    await tenon("inspect");
    rmSync(dependency);
    symlinkSync(join(project.root, "sizes-2"), dependency);
    expect((await tenon("inspect", "--verbose")).err).toContain("node_modules/sizes");
  }, 120_000);
});

describe("the cache", () => {
  it.each([
    ["is half-written", (text: string) => text.slice(0, text.length / 2)],
    ["is edited", (text: string) => text.replace("price", "prize")],
    ["is empty", () => ""],
  ])(
    "is ignored if it %s",
    async (_, damage) => {
      const { out } = await tenon("inspect");
      const record = findRecord("inspect");
      writeFileSync(record, damage(readFileSync(record, "utf8")));
      expect(await tenon("inspect", "--verbose")).toEqual({
        code: 0,
        out,
        err: COMPILED_FIRST,
      });
    },
    120_000,
  );

  it("survives commands that run at the same time", async () => {
    rmSync(join(project.root, ".tenon"), { recursive: true });
    const outputs = await Promise.all([call(), call()]);
    expect(outputs.map(({ out }) => out)).toEqual([PRICE_15, PRICE_15]);
    // A record is not used if the other command has written the types of the view in the meantime.
    await call();
    expect(await call()).toEqual({ code: 0, out: PRICE_15, err: REUSED });
  }, 120_000);
});

describe("call", () => {
  it("reuses the last build, and runs the current source after an edit", async () => {
    expect((await call()).out).toEqual(PRICE_15);
    expect(await call()).toEqual({ code: 0, out: PRICE_15, err: REUSED });
    replace("src/prices.json", '"base":10', '"base":20');
    const { err, out } = await call();
    expect(err).toContain("src/prices.json has changed");
    expect(out).toContain('"price": 25');
    expect((await call()).err).toBe(REUSED);
  }, 120_000);

  it("builds again if a file of the build is missing", async () => {
    await call();
    const [, record = ""] = readFileSync(findRecord("call"), "utf8").split("\n");
    const { result } = JSON.parse(record) as { result: { outDir: string } };
    rmSync(join(result.outDir, "app.js"));
    const { err, out } = await call();
    expect(err).toContain("files of the earlier build have changed");
    expect(out).toContain('"price": 25');
  }, 120_000);

  it("builds again after a change to a module that only a view imports", async () => {
    await call();
    replace("src/label.ts", "Price:", "Cost:");
    expect((await call()).err).toContain("src/label.ts has changed");
  }, 120_000);
});

describe("check", () => {
  it("reuses the last compilation with the same options, and compiles after a change to a view", async () => {
    const first = await tenon("check", "--verbose");
    expect(await tenon("check", "--verbose")).toEqual({ ...first, err: first.err.replace(/^.*\n/, REUSED) });
    expect((await tenon("check", "--verbose", "--directory", "openai")).err).not.toContain(REUSED);
    replace("src/price.view.tsx", "<p>", "<p title='Price'>");
    expect((await tenon("check", "--verbose")).err).toContain("src/price.view.tsx has changed");
  }, 120_000);
});
