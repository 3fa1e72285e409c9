import { execFileSync } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder | undefined;
afterEach(() => project?.remove());

it("tests in Node resolve imports through `paths` of tsconfig.json", { timeout: 60_000 }, () => {
  const tsconfig = {
    extends: "./config/aliases.json",
    compilerOptions: {
      target: "es2023",
      module: "esnext",
      moduleResolution: "bundler",
      types: [],
      strict: true,
    },
    include: ["src"],
  };
  const paths = {
    "@lib/*": ["../missing/*", "../src/lib/*"],
    "@lib/special/*": ["../src/special/*"],
    units: ["../src/units.ts"],
    "reflect-metadata": ["./metadata.d.ts"],
  };
  project = projectFolder(
    {
      "package.json": JSON.stringify({ name: "aliases", version: "1.0.0", type: "module" }),
      "tsconfig.json": JSON.stringify(tsconfig),
      "config/aliases.json": JSON.stringify({ compilerOptions: { paths } }),
      "config/metadata.d.ts": "export {};",
      "src/lib/area.ts": `export const area = (width: number): number => width * width;`,
      "src/special/half.ts": `export const half = (width: number): number => width / 2;`,
      "src/units.ts": `export const unit = "m2";`,
      "src/tools.ts": `import { Tool } from "@tenon/runtime";
import "reflect-metadata";
import { area } from "@lib/area.js";
import { half } from "@lib/special/half";
import { unit } from "units";
export class Tools {
  /** Go. */
  @Tool() go(width: number): string { return [area(width), half(width)].join() + unit; }
}
`,
      "test.mjs": `import { connect } from "@tenon/cli/testing";
const server = await connect();
console.log(await server.tools.go({ width: 4 }));
await server.close();
`,
    },
    ["@tenon", "@types", "reflect-metadata", "undici-types"],
  );
  const args = ["--import", "@tenon/cli/register", "test.mjs"];
  expect(execFileSync(process.execPath, args, { cwd: project.root, encoding: "utf8" })).toBe("16,2m2\n");
});
