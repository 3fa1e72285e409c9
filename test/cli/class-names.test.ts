import { pathToFileURL } from "node:url";
import { compile } from "@tenon/compiler";
import { afterEach, expect, it } from "vitest";
import { bundleSources } from "../support/bundle-sources.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const SOURCES = {
  "src/errors.ts": `export class NotFound extends Error { static create() { return new NotFound("Gone."); } }
export abstract class Base { static readonly all: Base[] = []; kind() { return this.constructor.name; } }
export class Connection extends Base { static again() { return new Connection(); } }
export class Named { static readonly name = "own"; static create() { return new Named(); } }
`,
  "src/tools.ts": `import { Tool } from "@tenon/runtime";
import * as errors from "./errors.js";
class Connection { static again() { return new Connection(); } }
export class Tools {
  static create() { return new Tools(); }
  /** Go. */
  @Tool() go(): string[] {
    const made = [errors.NotFound.create(), errors.Connection.again(), Connection.again(), Tools.create()];
    return [...made.map((each) => each.constructor.name), errors.Base.name, errors.Named.name];
  }
}
`,
};

it("classes keep their names in a bundle, as in the sources", async () => {
  project = projectFolder(SOURCES);
  const { root } = project;
  const { diagnostics, sourceEdits } = compile({ root });
  expect(diagnostics).toEqual([]);
  const { path } = await bundleSources(root, `export { Tools } from "../src/tools.ts";\n`, { sourceEdits });
  const { Tools } = (await import(pathToFileURL(path).href)) as {
    Tools: new () => { go(): string[] };
  };
  expect(new Tools().go()).toEqual(["NotFound", "Connection", "Connection", "Tools", "Base", "own"]);
});
