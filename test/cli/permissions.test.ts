import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { compile } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: changes between any two permissions, without a project for each.
import { comparePermissions } from "../../packages/cli/src/compare/permissions.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

/** Folder of the fixture; `permissions/report.txt` is the report that a reviewer sees of the change from `before` to `after`. */
const fixture = join(import.meta.dirname, "permissions");

function readSources(version: "before" | "after"): Record<string, string> {
  const folder = join(fixture, version);
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [`src/${name}`, readFileSync(join(folder, name), "utf8")]));
}

let project: ProjectFolder;
let before: Manifest;
beforeAll(() => {
  project = projectFolder(readSources("before"));
  const { manifest } = compile({ root: project.root, typeCheck: false });
  if (!manifest) throw new Error("The project could not be read.");
  before = manifest;
  writeFileSync(join(project.root, "before.json"), JSON.stringify(before));
});
afterAll(() => project.remove());

it("tenon inspect shows the scopes that callers need", async () => {
  const terminal = recordingTerminal(project.root);
  expect(await run(["inspect"], terminal)).toBe(0);
  await expect(terminal.stdout()).toMatchFileSnapshot(join(fixture, "inspected.txt"));
});

describe("tenon check --baseline with an earlier manifest", () => {
  const check = async (args: string[]) => {
    const terminal = recordingTerminal(project.root);
    return { exitCode: await run(["check", ...args], terminal), terminal };
  };

  it("finds nothing if nothing changed", async () => {
    const { exitCode, terminal } = await check(["--baseline", "before.json"]);
    expect(terminal.stdout()).toContain("No permissions changed.");
    expect(exitCode).toBe(0);
  });

  it("first lists what became public, and fails", async () => {
    project.write(readSources("after"));
    const { exitCode, terminal } = await check(["--baseline", "before.json"]);
    const [permissions = ""] = terminal.stdout().split("\n\nsample 1.2.3 ", 1);
    await expect(`${permissions}\n`).toMatchFileSnapshot(join(fixture, "report.txt"));
    expect(exitCode).toBe(1);
    const json = await check(["--baseline", "before.json", "--json"]);
    const { permissions: changes } = JSON.parse(json.terminal.stdout()) as { permissions: object[] };
    expect(changes).toContainEqual({
      effect: "opened",
      kind: "resource template",
      name: "file:///{name}",
      message: "required `files:read`; now every caller may read it",
    });
    expect((await check([])).exitCode).toBe(0);
  });

  it("rejects a file that is not a manifest", async () => {
    const { exitCode, terminal } = await check(["--baseline", "tsconfig.json"]);
    expect(exitCode).toBe(2);
    expect(terminal.stderr()).toContain("`tsconfig.json` is not a manifest of this version of Tenon.");
    expect((await check(["--baseline", "none.json"])).terminal.stderr()).toContain("cannot be read");
  });
});

describe("permission changes for the whole server", () => {
  it("make it public if `auth` is removed", () => {
    const { auth, ...open } = before;
    expect(auth).toBeDefined();
    expect(comparePermissions(before, open)).toEqual([
      expect.objectContaining({ effect: "opened", kind: "server" }),
    ]);
    expect(comparePermissions(open, before)).toEqual([
      expect.objectContaining({ effect: "narrower", kind: "server" }),
    ]);
  });

  it("make it public where `auth` becomes conditional", () => {
    const { auth, ...open } = before;
    const conditional: Manifest = { ...before, auth: { ...auth, conditional: true } };
    const effects = (from: Manifest, to: Manifest): string[] =>
      comparePermissions(from, to).map(({ effect, message }) => `${effect}: ${message.split(":", 1)[0]}`);
    expect(effects(before, conditional)).toEqual(["opened: `auth` is now conditional"]);
    expect(effects(conditional, before)).toEqual(["narrower: `auth` is no longer conditional"]);
    expect(effects(open, conditional)).toEqual(["narrower: `auth` was added"]);
    expect(effects(conditional, conditional)).toEqual([]);
  });

  it("include changes to the scopes that a scope implies", () => {
    const tables = (implied: string[]): Manifest => ({
      ...before,
      auth: { scopes: { a: { implies: ["b"] }, b: { implies: implied }, c: {} } },
      tools: [],
    });
    expect(comparePermissions(tables([]), tables(["c"]))).toEqual([
      { effect: "wider", kind: "scope", name: "a", message: "now implies `c`" },
      { effect: "wider", kind: "scope", name: "b", message: "now implies `c`" },
    ]);
    expect(comparePermissions(tables(["c"]), tables([])).map(({ effect }) => effect)).toEqual([
      "narrower",
      "narrower",
    ]);
  });
});
