import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBundler } from "../../packages/cli/src/bundle/bundle.js";
import type { NeededPackage } from "../../packages/cli/src/bundle/needed-packages.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const npmPackage = (name: string, version: string, more = {}): string =>
  JSON.stringify({ name, version, main: "index.js", ...more });

/** A workspace without hoisting: each package has what it names itself, and no more. */
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

/** Makes `dist/app.js` of the server. */
async function bundle(bundlePackages: boolean): Promise<{ needed: NeededPackage[] }> {
  const outDir = join(root, "dist");
  const bundler = await createBundler({ root, outDir, entries: ["app.js"], bundlePackages });
  const { files, needed } = await bundler
    .bundle(new Map([["app.js", `export { found } from "../src/dates.ts";\n`]]))
    .finally(() => bundler.dispose());
  writeFileTree(files, outDir);
  return { needed };
}

function found(): unknown {
  const run = `import { found } from ${JSON.stringify(join(root, "dist/app.js"))}; console.log(JSON.stringify(found));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" }));
}

describe("a package of the workspace that is TypeScript under a condition of tsconfig.json", () => {
  const RIGHT = ["a day of 1.0.0", "Read at a day of 2.0.0", 64, null];

  it("has the packages and files of its own where the server runs in place", async () => {
    await bundle(false);
    expect(found()).toEqual(RIGHT);
  });

  it("brings its packages into a build, each in the version it asks for, and says what has to be installed", async () => {
    const { needed } = await bundle(true);
    expect(needed).toEqual([
      {
        name: "native-bits",
        version: "3.0.0",
        reason: "has native code; add it to package.json: only beside has it",
      },
    ]);
    symlinkSync(
      join(workspace.root, "beside/node_modules/native-bits"),
      join(root, "node_modules/native-bits"),
    );
    expect(found()).toEqual(RIGHT);
  });
});
