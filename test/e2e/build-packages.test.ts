import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProject, run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
const folders: string[] = [];
afterEach(() => {
  project.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Returns the files of an installed package that exports `answer(): string`. */
function packageFiles(name: string, source: string, settings: object = {}): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      version: "1.0.0",
      types: "index.d.ts",
      ...settings,
    }),
    [`node_modules/${name}/index.d.ts`]: "export declare function answer(): string;",
    [`node_modules/${name}/index.js`]: source,
  };
}

const ESM = { type: "module", exports: { types: "./index.d.ts", default: "./index.js" } };

const PACKAGES = {
  ...packageFiles(
    "pure",
    `import { answer as other } from "inner"; export const answer = () => "pure " + other();`,
    ESM,
  ),
  ...packageFiles("inner", `export const answer = () => "inner";`, ESM),
  // Imports Node's modules, and names `__dirname` only in a comment.
  ...packageFiles(
    "old-style",
    `// Not by __dirname.
     const Emitter = require("events");
     class Known extends Emitter {}
     try { require("not-installed"); } catch { exports.answer = () => "old " + new Known().listenerCount("x"); }`,
  ),
  ...packageFiles(
    "located",
    `exports.answer = () => require("fs").readFileSync(__dirname + "/data.txt", "utf8");`,
  ),
  "node_modules/located/data.txt": "located",
  ...packageFiles(
    "above",
    `exports.answer = () => "above " + require("located").answer() + require("below").answer();`,
  ),
  ...packageFiles("below", `exports.answer = () => " below";`),
  ...packageFiles("prepared", `exports.answer = () => "prepared";`, {
    scripts: { postinstall: "node prepare.js" },
  }),
};

function createProject(...names: string[]): Record<string, string> {
  const imports = names.map((name, index) => `import { answer as a${index} } from "${name}";`).join("\n");
  const calls = names.map((_, index) => `a${index}()`).join(", ");
  return {
    ...PACKAGES,
    "src/answers.ts": `import { Tool } from "@tenon/runtime";
${imports}
export class Answers {
  /** All answers. */
  @Tool()
  all(): string {
    return [${calls}].join("; ");
  }
}
`,
  };
}

const INSTALLED = ["@tenon", "@types", "undici-types", "reflect-metadata"];
const CALL = `${[
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "all", arguments: {} } },
]
  .map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
  .join("\n")}\n`;

/** Returns the response of the built server, in the project or in a folder with only the build. */
function callBuilt(where: "installed" | "alone"): { answer: string | undefined; stderr: string } {
  let dist = join(project.root, "dist");
  if (where === "alone") {
    const folder = mkdtempSync(join(tmpdir(), "tenon-alone-"));
    folders.push(folder);
    cpSync(join(project.root, "package.json"), join(folder, "package.json"));
    cpSync(dist, join(folder, "dist"), { recursive: true });
    dist = join(folder, "dist");
  }
  const { stdout, stderr } = spawnSync(process.execPath, [join(dist, "server.js")], {
    input: CALL,
    encoding: "utf8",
  });
  return { answer: /"text":"([^"]*)"/.exec(stdout)?.[1], stderr };
}

describe("tenon build", () => {
  it("bundles packages that work without being installed", async () => {
    project = projectFolder(createProject("pure", "old-style"), INSTALLED);
    expect((await buildProject({ root: project.root })).needed).toEqual([]);
    expect(callBuilt("alone")).toEqual({ answer: "pure inner; old 0", stderr: "" });
  });

  it("leaves other packages external, with those they share", async () => {
    project = projectFolder(createProject("pure", "above", "below", "located", "prepared"), INSTALLED);
    expect((await buildProject({ root: project.root })).needed).toEqual([
      { name: "above", version: "1.0.0", reason: "needs located" },
      { name: "below", version: "1.0.0", reason: "is needed by above" },
      { name: "located", version: "1.0.0", reason: "finds files relative to itself" },
      { name: "prepared", version: "1.0.0", reason: "has an install script" },
    ]);
    expect(callBuilt("installed")).toEqual({
      answer: "pure inner; above located below;  below; located; prepared",
      stderr: "",
    });
    const { answer, stderr } = callBuilt("alone");
    expect(answer).toBeUndefined();
    expect(stderr).toContain("The package `above` is not in the build.");
    expect(stderr).toContain("npm install --omit=dev");
  });

  it("lists the packages the server needs", async () => {
    project = projectFolder(createProject("located", "pure"), INSTALLED);
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal)).toBe(0);
    expect(terminal.stdout()).toContain(
      "  Besides dist/, the server needs 1 package in node_modules:\n    located 1.0.0  finds files relative to itself\n",
    );
  });
});
