import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleSources } from "../support/bundle-sources.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const npmPackage = (name: string, version: string, more = {}): string =>
  JSON.stringify({ name, version, main: "index.js", ...more });

/** A workspace without hoisting: each package has only its own dependencies. */
const WORKSPACE = {
  "server/package.json": npmPackage("server", "1.0.0", { type: "module" }),
  "server/tsconfig.json": tsconfig({ customConditions: ["source"] }),
  "server/src/dates.ts": `import { day } from "dates";
import { native, when } from "beside";
export const found = [day, when, native, process.argv[1]];
`,
  "server/node_modules/dates/package.json": npmPackage("dates", "1.0.0"),
  "server/node_modules/dates/index.js": `exports.day = "a day of 1.0.0";`,
  "beside/package.json": npmPackage("beside", "1.0.0", {
    type: "module",
    exports: { source: "./src/index.ts", default: "./dist/index.js" },
  }),
  "beside/dist/index.js": `export const when = "as it was compiled";\nexport const native = undefined;\n`,
  "beside/src/index.ts": `import { readFileSync } from "node:fs";
import { day } from "dates";
import { bits } from "native-bits";
const text: string = readFileSync(new URL("../text.txt", import.meta.url), "utf8");
export const when = text + day;
export const native: number = bits;
`,
  "beside/text.txt": "Read at ",
  "beside/node_modules/dates/package.json": npmPackage("dates", "2.0.0"),
  "beside/node_modules/dates/index.js": `exports.day = "a day of 2.0.0";`,
  "beside/node_modules/native-bits/package.json": npmPackage("native-bits", "3.0.0", { gypfile: true }),
  "beside/node_modules/native-bits/index.js": `exports.bits = 64;`,
};

let workspace: ProjectFolder;
let root: string;
beforeEach(() => {
  workspace = projectFolder(WORKSPACE, []);
  root = join(workspace.root, "server");
  symlinkSync(join(workspace.root, "beside"), join(root, "node_modules/beside"));
});
afterEach(() => workspace.remove());

const bundle = (bundlePackages: boolean): ReturnType<typeof bundleSources> =>
  bundleSources(root, `export { found } from "../src/dates.ts";\n`, { bundlePackages });

function runBundle(): unknown {
  const run = `import { found } from ${JSON.stringify(join(root, "dist/app.js"))}; console.log(JSON.stringify(found));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" }));
}

describe("a workspace package that a condition in tsconfig.json resolves to TypeScript", () => {
  const RIGHT = ["a day of 1.0.0", "Read at a day of 2.0.0", 64, null];

  it("finds its own packages and files if the server runs in place", async () => {
    await bundle(false);
    expect(runBundle()).toEqual(RIGHT);
  });

  it("is bundled with its own versions of packages, and those to install are reported", async () => {
    const { needed } = await bundle(true);
    expect(needed).toEqual([
      {
        name: "native-bits",
        version: "3.0.0",
        reason: "has native code; add it to package.json, because only beside depends on it",
      },
    ]);
    symlinkSync(
      join(workspace.root, "beside/node_modules/native-bits"),
      join(root, "node_modules/native-bits"),
    );
    expect(runBundle()).toEqual(RIGHT);
  });

  it("is reported with the files that it reads at their original paths", async () => {
    const left = (name: string): { path: string; name: string } => ({
      path: join(workspace.root, "beside", name),
      name: "beside",
    });
    expect((await bundle(true)).externalFiles).toEqual([left("text.txt")]);

    workspace.write({
      "beside/src/index.ts": `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import "./plain.js";
import "./dynamic.js";
// What was new URL("./nothing.txt", import.meta.url) is gone.
export const native = createRequire(import.meta.url)("node:os").arch();
export const when = readFileSync(join(import.meta.dirname, "../text.txt"), "utf8") + new URL("./missing.txt", import.meta.url);
`,
      "beside/src/plain.ts": "export const url = (meta: ImportMeta): string => meta.url;\n",
      "beside/src/dynamic.ts":
        "import { readdirSync } from 'node:fs';\nexport const names = (folder: string) => readdirSync(new URL(folder, import.meta.url));\nconsole.error(names('.').length);\n",
    });
    expect((await bundle(true)).externalFiles).toEqual([left("src/dynamic.ts"), left("text.txt")]);
  });

  it.each([
    ["a URL", "new URL(`../text.txt`, import.meta.url)"],
    ["its folder", 'join(import.meta.dirname, "..", "text.txt")'],
    ["the folder of its URL", 'path.resolve(dirname(fileURLToPath(import.meta.url)), "../text.txt")'],
    ["a variable", 'path.join(here, "..", "text.txt")'],
  ])("is reported with a file that a module locates with %s", async (_, path) => {
    workspace.write({
      "beside/src/index.ts": `import { readFileSync } from "node:fs";
import path, { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
const here: string = dirname(fileURLToPath(import.meta.url));
export const native = 1;
export const when = readFileSync(${path}, "utf8");
console.error([path, dirname, join].length);
`,
    });
    expect((await bundle(true)).externalFiles).toEqual([
      { path: join(workspace.root, "beside/text.txt"), name: "beside" },
    ]);
  });
});
