import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileTree } from "@tenon/compiler";
import { afterEach, describe, expect, it } from "vitest";
import { createBundler } from "../../packages/cli/src/bundle/bundle.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

describe("the manifest inside a built server", () => {
  it("is the one beside it, whatever it holds", async () => {
    const said = "Says\u2028it \\u0041 `${again}` 'and' \"again\"";
    project = projectFolder({});
    const manifest = `${JSON.stringify({ said, members: { a: 1 } }, null, 2).replace('"a"', '"__proto__"')}\n`;
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
