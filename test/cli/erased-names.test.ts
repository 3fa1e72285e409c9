import { execFileSync } from "node:child_process";
import { compile } from "@tenon/compiler";
import { afterEach, expect, it } from "vitest";
import { bundleSources } from "../support/bundle-sources.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

/** The declarations of a library, and its code, which contains only `size`. */
const DECLARATIONS = `export interface Options { width: number }
export declare const enum Color { Red = "red", Blue = "blue" }
export declare const size: number;
`;
const SOURCES = {
  "package.json": JSON.stringify({ name: "painter", version: "1.0.0", type: "module" }),
  "tsconfig.json": tsconfig({}),
  "node_modules/paint/package.json": JSON.stringify({
    name: "paint",
    version: "1.0.0",
    type: "module",
    types: "index.d.ts",
    exports: "./index.js",
  }),
  "node_modules/paint/index.js": `export const size = 4;`,
  "node_modules/paint/index.d.ts": DECLARATIONS,
  "src/globals.d.ts": `declare namespace Units { const enum Level { Low = -1, High = 1.5 } }\n`,
  "src/paint.ts": `import { Options as Imported } from "paint";
export { Color, Options, size } from "paint";
export { Imported };
export default Imported;
`,
  "src/tools.ts": `import * as paint from "paint";
import { Color } from "paint";
import { Tool } from "@tenon/runtime";
import Default, { Color as Exported, Imported, Options, size } from "./paint.js";
const high = 2 -Units.Level.Low;
export const found = [Color.Red, Exported["Blue"], paint
  .Color
  .Blue, high, Units.Level.High.toFixed(2), size];
export const line = new Error().stack?.match(/tools\\.ts:(\\d+)/)?.[1];
export class Tools {
  /** Go. */
  @Tool({ title: Color.Red }) go(a: Default, b: Imported, c: Options, color: Color = Color.Blue): string { return color + a.width + b.width + c.width; }
}
`,
};

it.each([false, true])(
  "a bundle contains the values of declared enums, and no types that a package lacks at run time (packages bundled: %s)",
  async (bundlePackages) => {
    project = projectFolder(SOURCES, ["@tenon", "@types", "reflect-metadata", "undici-types"]);
    const { root } = project;
    const { diagnostics, sourceEdits } = compile({ root });
    expect(diagnostics).toEqual([]);
    const app = `export { found, line, Tools } from "../src/tools.ts";\n`;
    const { path } = await bundleSources(root, app, { sourceEdits, bundlePackages });
    const run = `import { found, line, Tools } from ${JSON.stringify(path)};
const width = { width: 1 };
console.log(JSON.stringify([...found, new Tools().go(width, width, width), line]));`;
    const printed = execFileSync(
      process.execPath,
      ["--enable-source-maps", "--input-type=module", "-e", run],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(JSON.parse(printed)).toEqual(["red", "blue", "blue", 3, "1.50", 4, "blue111", "9"]);
  },
);
