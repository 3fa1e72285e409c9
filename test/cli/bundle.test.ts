import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileTree } from "@tenon/compiler";
import { afterEach, describe, expect, it } from "vitest";
// Internal: the bundlers alone, without the rest of a build or a test.
import { bundleOnce, createBundler } from "../../packages/cli/src/bundle/bundle.js";
import { compileModule } from "../../packages/cli/src/bundle/compile-module.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

describe("the manifest inside a built server", () => {
  it("equals the manifest next to it, whatever it contains", async () => {
    const text = "Says\u2028it \\u0041 `${again}` 'and' \"again\"";
    project = projectFolder({});
    const manifest = `${JSON.stringify({ text, members: { a: 1 } }, null, 2).replace('"a"', '"__proto__"')}\n`;
    const bundler = await createBundler({
      root: project.root,
      outDir: join(project.root, "dist"),
      entries: ["app.js"],
    });
    const modules = new Map([
      ["app.js", `export { default as manifest } from "./tenon.manifest.json" with { type: "json" };\n`],
      ["tenon.manifest.json", manifest],
    ]);
    const { files } = await bundler.bundle(modules).finally(() => bundler.dispose());
    expect(files.get("tenon.manifest.json")).toBe(manifest);
    writeFileTree(files, join(project.root, "dist"));
    const built = (await import(pathToFileURL(join(project.root, "dist/app.js")).href)) as {
      manifest: unknown;
    };
    expect(JSON.stringify(built.manifest)).toBe(JSON.stringify(JSON.parse(manifest)));
    expect(JSON.stringify(built.manifest)).toContain("__proto__");
  });
});

it("a bundle loads reflect-metadata first when an external package needs it", async () => {
  project = projectFolder(
    {
      "node_modules/needs-it/package.json": JSON.stringify({ name: "needs-it", version: "1.0.0" }),
      "node_modules/needs-it/index.js": `if (!Reflect.getMetadata) throw new Error("Import reflect-metadata first.");
exports.folder = __dirname;\n`,
      "src/setup.ts": `import "reflect-metadata";\nexport { folder } from "needs-it";\n`,
    },
    ["reflect-metadata"],
  );
  const { root } = project;
  const outDir = join(root, "dist");
  const bundler = await createBundler({ root, outDir, entries: ["app.js"], bundlePackages: true });
  const { files, needed } = await bundler
    .bundle(new Map([["app.js", `export { folder } from "../src/setup.ts";\n`]]))
    .finally(() => bundler.dispose());
  expect(needed.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
    "needs-it finds files relative to itself",
    "reflect-metadata must be loaded before the others",
  ]);
  writeFileTree(files, outDir);
  const run = `import { folder } from ${JSON.stringify(join(outDir, "app.js"))}; console.log(folder);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" });
  expect(printed.trim()).toBe(join(root, "node_modules/needs-it"));
});

it("a bundle of a module with decorated parameters reports the files that it reads", async () => {
  project = projectFolder({
    "package.json": JSON.stringify({ name: "decorated", version: "1.0.0" }),
    "tsconfig.json": tsconfig({ experimentalDecorators: true }),
    "größe.txt": "",
    "src/parts.ts": `import path = require("node:path");
const inject = (_target: object, _key: string | undefined, _index: number): void => {};
class Part { constructor(@inject readonly size: string) {} }
export = new Part(path.join(__dirname, "../größe.txt"));\n`,
    "src/more.ts": `const inject = (_target: object, _key: string | undefined, _index: number): void => {};
export class More { constructor(@inject readonly size = new URL("../größe.txt", import.meta.url)) {} }\n`,
  });
  const { root } = project;
  const options = { root, outDir: join(root, "dist"), entries: ["app.js"], bundlePackages: true };
  for (const module of ["src/parts.ts", "src/more.ts"]) {
    const modules = new Map([["app.js", `export * as found from "../${module}";\n`]]);
    const { ownFiles } = await bundleOnce(options, modules);
    expect(ownFiles).toEqual([{ path: "größe.txt", readBy: module }]);
  }
});

describe("a bundle of a folder", () => {
  // On Windows no folder has such a name.
  it.runIf(process.platform !== "win32").each(['a "quote"', "a: colon", "what?", "all*"])(
    "works when the folder is named %j",
    async (name) => {
      project = projectFolder({
        [`${name}/package.json`]: '{ "type": "module" }',
        [`${name}/src/a.ts`]: "",
      });
      const root = join(project.root, name);
      const bundler = await createBundler({ root, outDir: join(root, "dist"), entries: ["app.js"] });
      const modules = new Map([["app.js", "export const is = 1;\n"]]);
      const { files } = await bundler.bundle(modules).finally(() => bundler.dispose());
      expect([...files.keys()]).toEqual(["app.js", "app.js.map"]);
      const source = { contents: "export const is = 1;", loader: "ts" } as const;
      const compiled = await compileModule(join(root, "src/a.ts"), source, {});
      expect(compiled).toMatchObject({ outputFiles: { length: 2 }, isEsModule: true });
    },
  );
});
