import { execFileSync } from "node:child_process";
import { compile } from "@tenon/compiler";
import { afterEach, expect, it } from "vitest";
import { bundleSources } from "../support/bundle-sources.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const SOURCES = {
  "package.json": JSON.stringify({ name: "older", version: "1.0.0" }),
  "tsconfig.json": tsconfig({ esModuleInterop: false, allowSyntheticDefaultImports: false }),
  "src/area.ts": `import assert = require("node:assert");
function area(width: number): number { assert(width > 0); return width * width; }
namespace area { export const unit = "m2"; }
export = area;
`,
  "src/files.ts": `import { readdirSync } from "node:fs";
import path = require("node:path");
class Files { list(): string[] { return readdirSync(path.join(__dirname, "../data")); } readonly name = path.basename(__filename); }
export = Files;
`,
  "data/one.txt": "",
  "src/tools.ts": `import * as assert from "node:assert";
import { join } from "node:path";
import * as area from "./area";
import * as clone from "clones";
import bits = require("native-bits");
import Files = require("./files");
import { Tool } from "@tenon/runtime";
assert(area.unit === "m2");
const files = new Files();
export const found = [area(2), clone("a"), bits.bits, files.list(), files.name, join(__dirname, "..") === process.cwd()];
export class Tools {
  /** Go. */
  @Tool() go(): number { return area(3); }
}
`,
  "node_modules/clones/package.json": JSON.stringify({
    name: "clones",
    version: "1.0.0",
    types: "index.d.ts",
  }),
  "node_modules/clones/index.js": `module.exports = (text) => text + text;`,
  "node_modules/clones/index.d.ts": `declare function clone(text: string): string;\ndeclare namespace clone {}\nexport = clone;\n`,
  "node_modules/native-bits/package.json": JSON.stringify({
    name: "native-bits",
    version: "3.0.0",
    gypfile: true,
    types: "index.d.ts",
  }),
  "node_modules/native-bits/index.js": `exports.bits = 64;`,
  "node_modules/native-bits/index.d.ts": `export declare const bits: number;`,
};

it.each([false, true])(
  "a CommonJS server imports with require, exports one value, and finds its files (packages bundled: %s)",
  async (bundlePackages) => {
    project = projectFolder(SOURCES, ["@tenon", "@types", "reflect-metadata", "undici-types"]);
    const { root } = project;
    const { diagnostics, sourceEdits } = compile({ root });
    expect(diagnostics).toEqual([]);
    const app = `export { found } from "../src/tools.ts";\n`;
    const { path, needed } = await bundleSources(root, app, { sourceEdits, bundlePackages });
    const native = { name: "native-bits", version: "3.0.0" };
    const clones = { name: "clones", version: "1.0.0" };
    expect(needed).toEqual(bundlePackages ? [{ ...native, reason: "has native code" }] : [clones, native]);
    const run = `import { found } from ${JSON.stringify(path)}; console.log(JSON.stringify(found));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", run], {
      cwd: root,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual([
      4,
      "aa",
      64,
      ["one.txt"],
      bundlePackages ? "files.js" : "files.ts",
      true,
    ]);
  },
);

it(
  "in tests, too, a CommonJS server imports with require, exports one value, and finds its files",
  LONG_COMPUTATION,
  () => {
    project = projectFolder(
      {
        ...SOURCES,
        "test.mjs": `import { connect } from "@tenon/cli/testing";
import { found } from "./src/tools.ts";
const server = await connect();
console.log(JSON.stringify([found, await server.tools.go()]));
await server.close();
`,
      },
      ["@tenon", "@types", "reflect-metadata", "undici-types"],
    );
    const { root } = project;
    const printed = execFileSync(process.execPath, ["--import", "@tenon/cli/register", "test.mjs"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual([[4, "aa", 64, ["one.txt"], "files.ts", true], 9]);
  },
);

it(
  "a named import reads a member of the value that a CommonJS source exports with `export =`",
  LONG_COMPUTATION,
  () => {
    const sources = {
      "package.json": JSON.stringify({ name: "older", version: "1.0.0", type: "module" }),
      "tsconfig.json": tsconfig({ module: "nodenext" }),
      "src/area.cts": `export = area;
function area(width: number): number { return width * width; }
area.unit = "m2";
namespace area {
  export interface Size { width: number }
  export const half = (width: number): number => area(width) / 2;
} // The last line has no end.`,
      "src/box.cts": `class Box { static twice(width: number): number { return 2 * width; } }
namespace Box { export const empty = 0; }
export = Box;
`,
      "src/tools.ts": `import { Tool } from "@tenon/runtime";
import area, { half, type Size, unit } from "./area.cjs";
import Box, { empty } from "./box.cjs";
export class Tools {
  /** Go. */
  @Tool() go({ width }: Size): string { return [area(width), half(width), Box.twice(width), empty].join() + unit; }
}
`,
      "test.mjs": `import { connect } from "@tenon/cli/testing";
const server = await connect();
console.log(await server.tools.go({ width: 4 }));
await server.close();
`,
    };
    project = projectFolder(sources, ["@tenon", "@types", "reflect-metadata", "undici-types"]);
    const { root } = project;
    expect(compile({ root }).diagnostics).toEqual([]);
    const args = ["--import", "@tenon/cli/register", "test.mjs"];
    expect(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })).toBe("16,8,8,0m2\n");
  },
);

it.each([false, true])(
  "CommonJS in JavaScript exports its members even if it asks for its location (packages bundled: %s)",
  async (bundlePackages) => {
    project = projectFolder(
      {
        "package.json": JSON.stringify({ name: "mixed", version: "1.0.0", type: "module" }),
        "tsconfig.json": tsconfig({ module: "nodenext", allowJs: true }),
        "src/files.cjs": `const { name } = require("./name.cjs");
exports.files = require("node:fs").readdirSync(__dirname + "/../data");
exports.getName = () => name;
`,
        "src/name.cjs": `exports.name = require("node:path").basename(__filename);\n`,
        "src/client/package.json": JSON.stringify({ name: "generated-client" }),
        "src/client/index.js": `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Client = class Client { folder = require("node:path").basename(__dirname); };
`,
        "data/one.txt": "",
        "src/found.ts": `import * as files from "./files.cjs";
import { getName } from "./files.cjs";
import { Client } from "./client/index.js";
export const found = [files.files, files.getName(), getName(), new Client().folder];
`,
      },
      ["@tenon", "@types", "reflect-metadata", "undici-types"],
    );
    const { root } = project;
    const app = `export { found } from "../src/found.ts";\n`;
    const { path } = await bundleSources(root, app, { bundlePackages });
    const run = `import { found } from ${JSON.stringify(path)}; console.log(JSON.stringify(found));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", run], {
      cwd: root,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual([["one.txt"], "name.cjs", "name.cjs", "client"]);
  },
);
