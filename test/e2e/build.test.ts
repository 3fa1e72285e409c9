import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildProject, run } from "@tenon/cli";
import type { PluginBuild } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const ECHO = `
import { Tool } from "@tenon/runtime";

export class Echo {
  /** Says it again. */
  @Tool()
  say(text: string): string {
    return text;
  }
}
`;

/** Calls a tool of the built server in its own process, and returns the text of the result. */
function callBuilt(tool: string, args: object = {}): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: args, _meta: meta };
  const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
  const output = execFileSync(process.execPath, [join(project.root, "dist/server.js")], {
    input,
    encoding: "utf8",
  });
  const { result } = JSON.parse(output) as { result: { content: { text: string }[] } };
  return result.content.map(({ text }) => text).join("\n");
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

describe("tenon build", () => {
  it("writes a server and prints how to start it", async () => {
    project = projectFolder({ "src/echo.ts": ECHO });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(0);
    expect(terminal.stderr()).toBe("");
    expect(terminal.stdout()).toMatch(/^✓ sample 1\.2\.3: 1 tool in \d+\.\d s\n/);
    expect(terminal.stdout()).toContain("node dist/server.js --http --port 3000");
    expect(callBuilt("say", { text: "hello" })).toBe("hello");
  });

  it("shows every error with its location, and keeps the previous build", async () => {
    project = projectFolder({ "src/echo.ts": ECHO });
    await buildProject({ root: project.root });
    const before = filesIn(join(project.root, "dist"));
    project.write({ "src/echo.ts": ECHO.replace("return text", "return text.size;\n    return wrong") });

    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(1);
    expect(terminal.stdout()).toBe("");
    expect(terminal.stderr()).toContain("src/echo.ts:8:17  error  typescript");
    expect(terminal.stderr()).toContain(" >  9 │     return wrong;");
    expect(terminal.stderr()).toMatch(
      /\n2 errors\nNothing was written\. dist\/ still contains an earlier build\.\n$/,
    );
    expect(filesIn(join(project.root, "dist"))).toEqual(before);
  });

  it("names an import that cannot be found", async () => {
    const source = `// @ts-expect-error there is none\nimport { x } from "./missing.js";\nexport const y = x;\n${ECHO}`;
    project = projectFolder({ "src/echo.ts": source });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain('Could not resolve "./missing.js"');
    expect(existsSync(join(project.root, "dist"))).toBe(false);
  });

  it("writes nothing if a source changes in the meantime", async () => {
    project = projectFolder({ "src/echo.ts": ECHO });
    const edit = {
      name: "edit",
      setup: ({ onStart }: PluginBuild) =>
        onStart(() => project.write({ "src/echo.ts": ECHO.replace("text: string", "text: number") })),
    };
    const built = buildProject({ root: project.root, plugins: [edit] });
    await expect(built).rejects.toThrow("`src/echo.ts` changed during the build.");
    expect(existsSync(join(project.root, "dist"))).toBe(false);
  });

  // The superuser can read everything.
  it.runIf(process.getuid !== undefined && process.getuid() !== 0).each(["src/hidden", "src/hidden/echo.ts"])(
    "names %s if it cannot be read",
    async (path) => {
      project = projectFolder({ "src/clock.ts": ECHO.replace("say", "tick"), "src/hidden/echo.ts": ECHO });
      chmodSync(join(project.root, path), 0);
      const terminal = recordingTerminal(project.root);
      expect(await run(["build"], terminal)).toBe(1);
      chmodSync(join(project.root, path), 0o700);
      expect(terminal.stderr()).toMatch(
        new RegExp(`^error {2}\`.*/${path}\` cannot be \\w+: permission denied`),
      );
    },
  );

  it("rejects a folder without a project", async () => {
    project = projectFolder();
    const terminal = recordingTerminal(project.root);
    expect(await run(["build", "nowhere"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("nowhere is not a folder.");
  });
});

describe("the files of a build", () => {
  it("are identical every time, and written only if they differ", async () => {
    project = projectFolder({ "src/echo.ts": ECHO });
    await buildProject({ root: project.root });
    const first = filesIn(join(project.root, "dist"));
    const { written } = await buildProject({ root: project.root });
    expect(written).toEqual([]);
    expect(filesIn(join(project.root, "dist"))).toEqual(first);
  });

  it("are removed when a later build does not need them, unlike other files", async () => {
    project = projectFolder({
      "src/echo.ts": ECHO.replace(
        "return text",
        `return import("./loud.js").then(({ loud }) => loud(text))`,
      ).replace("): string", "): Promise<string>"),
      "src/loud.ts": `export function loud(text: string): string { return text.toUpperCase(); }\n`,
    });
    await buildProject({ root: project.root });
    const dist = join(project.root, "dist");
    const chunk = readdirSync(dist).find((name) => /^loud-.*\.js$/.test(name)) ?? "no such chunk";
    expect(existsSync(join(dist, chunk))).toBe(true);
    writeFileSync(join(dist, "mine.txt"), "keep me");

    project.write({ "src/echo.ts": ECHO });
    await buildProject({ root: project.root });
    expect(existsSync(join(dist, chunk))).toBe(false);
    expect(readFileSync(join(dist, "mine.txt"), "utf8")).toBe("keep me");
  });

  it("are the only ones removed, whatever the previous build's list contains", async () => {
    project = projectFolder({
      "src/echo.ts": ECHO,
      "precious/file.txt": "keep me",
      "outside.txt": "keep me",
    });
    await buildProject({ root: project.root });
    const dist = join(project.root, "dist");
    symlinkSync(join(project.root, "precious"), join(dist, "link"));
    mkdirSync(join(dist, "folder"));
    const files = ["../outside.txt", join(project.root, "outside.txt"), "link/file.txt", "folder", ".", 7];
    writeFileSync(join(dist, ".tenon-files.json"), JSON.stringify({ files }));

    await buildProject({ root: project.root });
    expect(existsSync(join(project.root, "outside.txt"))).toBe(true);
    expect(existsSync(join(project.root, "precious/file.txt"))).toBe(true);
    expect(existsSync(join(dist, "folder"))).toBe(true);
  });
});

describe("a build", () => {
  const build = async (files: Record<string, string>): Promise<void> => {
    project = projectFolder(files);
    const { compilation } = await buildProject({ root: project.root });
    expect(compilation.diagnostics).toEqual([]);
  };

  it("includes legacy decorators", async () => {
    await build({ "src/echo.ts": ECHO, "tsconfig.json": tsconfig({ experimentalDecorators: true }) });
    expect(callBuilt("say", { text: "hello" })).toBe("hello");
  });

  it("resolves path aliases from tsconfig.json", async () => {
    await build({
      "src/echo.ts": `import { loud } from "#text/loud.js";\n${ECHO.replace("return text", "return loud(text)")}`,
      "src/text/loud.ts": "export function loud(text: string): string { return text.toUpperCase(); }\n",
      "tsconfig.json": tsconfig({ paths: { "#text/*": ["./src/text/*"] } }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe("HELLO");
  });

  it("includes legacy decorators of a module that is imported through a path alias", async () => {
    await build({
      "src/echo.ts": `import { Loud } from "@text/loud.js";\n${ECHO.replace("return text", "return new Loud().of(text)")}`,
      "src/text/loud.ts": `function upper(_: object, __: string, method: PropertyDescriptor): void {
  method.value = (text: string) => text.toUpperCase();
}
export class Loud { @upper of(text: string): string { return text; } }
`,
      "tsconfig.json": tsconfig({ experimentalDecorators: true, paths: { "@text/*": ["./src/text/*"] } }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe("HELLO");
  });

  it("includes JSON", async () => {
    await build({
      "src/echo.ts": `import data from "./data.json" with { type: "json" };\n${ECHO.replace("return text", "return text + data.mark")}`,
      "src/data.json": `{ "mark": "!" }`,
      "tsconfig.json": tsconfig({ resolveJsonModule: true }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe("hello!");
  });

  it("resolves paths from import.meta.url as the sources do", async () => {
    await build({
      "src/deep/echo.ts": `import { readFileSync } from "node:fs";\n${ECHO.replace(
        "return text",
        `const file = new URL("../../data/mark.txt", import.meta.url);\n    return text + readFileSync(file, "utf8")`,
      )}`,
      "data/mark.txt": "!",
      "tsconfig.json": tsconfig({ module: "esnext", moduleResolution: "bundler" }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe("hello!");
    const map = JSON.parse(readFileSync(join(project.root, "dist/app.js.map"), "utf8")) as {
      sources: string[];
    };
    expect(map.sources).toContain("../src/deep/echo.ts");
  });

  it("resolves paths from a destructured import.meta as the sources do, and reports that they are unknown", async () => {
    project = projectFolder({
      "src/deep/echo.ts": `import { readFileSync } from "node:fs";\nimport { join } from "node:path";\nconst { dirname, url } = import.meta;\n${ECHO.replace(
        "return text",
        `return readFileSync(join(dirname, text), "utf8") + readFileSync(new URL("../../more.txt", url), "utf8")`,
      )}`,
      "src/deep/data.txt": "data",
      "more.txt": "more",
    });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(0);
    expect(terminal.stdout().replaceAll(/\s+/g, " ")).toContain(
      "src/deep/echo.ts uses its own location, but does not name the files that it reads. Not copied: src/deep/data.txt.",
    );
    expect(callBuilt("say", { text: "../../more.txt" })).toBe("moremore");
  });

  it("copies the files that the source names, and reports those that it cannot copy", async () => {
    project = projectFolder({
      "src/deep/echo.ts": `import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
${ECHO.replace(
  "return text",
  `const here = import.meta.dirname;
    const names = [new URL("./data.txt", import.meta.url), join(here, "..", "marks", "mark.txt"), join(here, text)];
    const workers = [new URL("./worker.ts", import.meta.url), new URL("./other.js", import.meta.url)];
    const others = [new URL("./lost.txt", import.meta.url), join(here, "lost"), new URL("https://a.example/", import.meta.url)];
    return names.map((name) => readFileSync(name, "utf8")).join() + readdirSync(new URL("./pages/", import.meta.url))`,
)}`,
      "src/deep/data.txt": "data",
      "src/marks/mark.txt": "mark",
      "src/deep/pages/a.html": "",
      "src/deep/pages/b.html": "",
      "src/deep/pages/code.ts": "export const code = 1;",
      "src/deep/notes/note.md": "note",
      "src/deep/worker.ts": "export const worker = 1;",
      "src/deep/other.ts": "export const other = 1;",
      "more.txt": "more",
    });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(0);
    expect(callBuilt("say", { text: "../../more.txt" })).toBe("data,mark,morea.html,b.html");
    expect(terminal.stdout().replaceAll(/\s+/g, " ")).toContain(
      "src/deep/echo.ts starts or reads src/deep/other.ts, which the build does not compile on its own. Import it, or " +
        "write it in JavaScript, which is copied. " +
        "src/deep/echo.ts names src/deep/lost.txt, which does not exist, so it is not part of the build. " +
        "src/deep/echo.ts names src/deep/lost, which does not exist, so it is not part of the build. " +
        "src/deep/echo.ts starts or reads src/deep/worker.ts, which the build does not compile on its own. Import it, or " +
        "write it in JavaScript, which is copied. " +
        "src/deep/echo.ts uses its own location, but does not name the files that it reads. " +
        "Not copied: src/deep/notes/note.md. If it reads them, name them or their folder in the source",
    );
    const called = recordingTerminal(project.root);
    expect(await run(["call", "say", "text=notes/note.md"], called)).toBe(0);
    expect(called.stdout(), "while it runs in the project, all files are there").toContain("data,mark,note");

    rmSync(join(project.root, "src/marks"), { recursive: true });
    project.write({ "src/deep/echo.ts": ECHO });
    await run(["build"], recordingTerminal(project.root));
    expect(existsSync(join(project.root, "dist/marks/mark.txt")), "removed with its last use").toBe(false);
  });

  it("includes import.meta.url and its name in strings, next to legacy decorators", async () => {
    await build({
      "src/echo.ts": `const names: string[] = [];
function note(_: object, name: string): void { names.push(name); }
${ECHO.replace("  /** Says", "  @note accessorOf = 1;\n  /** Says").replace(
  "return text",
  "return [text, ...names, 'import.meta.url', `import.meta.url: ${import.meta.url.length > 0}`].join()",
)}`,
      "tsconfig.json": tsconfig({ experimentalDecorators: true }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe(
      "hello,accessorOf,import.meta.url,import.meta.url: true",
    );
  });

  it("keeps a string that equals the placeholder of the manifest", async () => {
    const text = `JSON.parse("<tenon.manifest.json>")`;
    await build({ "src/echo.ts": ECHO.replace("return text", `return text + '${text}'`) });
    expect(callBuilt("say", { text: "hello " })).toBe(`hello ${text}`);
  });

  it("bundles npm packages that work in a bundle", async () => {
    await build({
      "src/echo.ts": `import picocolors from "picocolors";\n${ECHO.replace("return text", "return picocolors.createColors(false).bold(text)")}`,
    });
    expect(readFileSync(join(project.root, "dist/app.js"), "utf8")).not.toContain(`from "picocolors"`);
    expect(callBuilt("say", { text: "hello" })).toBe("hello");
  });

  it("includes the exports of src/server.ts, for applications that mount the server", async () => {
    await build({
      "src/said.ts": "export const said: string[] = [];\n",
      "src/echo.ts": `import { said } from "./said.js";\n${ECHO.replace("return", "said.push(text);\n    return")}`,
      "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { said } from "./said.js";
export { said };
export const server = "not the one that is served";
export default defineServer({});
`,
    });
    const main = `import { connect } from "@tenon/runtime/testing";
import { said, server } from "../dist/app.js";
const client = await connect(server);
await client.callTool("say", { text: "hello" });
const [first]: string[] = said;
console.log(first);
`;
    writeFileSync(join(project.root, "main.mjs"), main.replace("..", ".").replace(": string[]", ""));
    const output = execFileSync(process.execPath, ["main.mjs"], { cwd: project.root, encoding: "utf8" });
    expect(output).toBe("hello\n");

    // Where the package is published, its sources are not.
    rmSync(join(project.root, "src"), { recursive: true });
    project.write({ "src/main.ts": main, "src/mistyped.ts": main.replace("string[]", "number[]") });
    const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc], { cwd: project.root, encoding: "utf8" });
    expect(stdout.split("\n").filter((line) => line.includes("error"))).toEqual([
      expect.stringMatching(/^src\/mistyped\.ts\(5,7\): error TS2322/),
    ]);
  });

  it("accepts a CommonJS project with `module: esnext`", async () => {
    await build({
      "src/echo.ts": ECHO,
      "package.json": JSON.stringify({ name: "sample", version: "1.2.3" }),
      "tsconfig.json": tsconfig({ module: "esnext", moduleResolution: "bundler" }),
    });
    expect(callBuilt("say", { text: "hello" })).toBe("hello");
  });

  it("includes console.log, which writes nothing to the client", async () => {
    await build({
      "src/echo.ts": `console.log("loading");\n${ECHO.replace("return text", `console.log("calling");\n    return text`)}`,
    });
    expect(callBuilt("say", { text: "hello" })).toBe("hello");
  });
});
