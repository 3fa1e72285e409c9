import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { compile } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permissionChanges } from "../../packages/cli/src/contract/permission-changes.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

/** What a reviewer sees of the change from `before` to `after` is `permissions/report.txt`. */
const fixture = join(import.meta.dirname, "permissions");

function sourcesOf(version: "before" | "after"): Record<string, string> {
  const folder = join(fixture, version);
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [`src/${name}`, readFileSync(join(folder, name), "utf8")]));
}

let project: ProjectFolder;
let before: Manifest;
beforeAll(() => {
  project = projectFolder(sourcesOf("before"));
  const { manifest } = compile({ root: project.root, typeCheck: false });
  if (!manifest) throw new Error("The project could not be read.");
  before = manifest;
  writeFileSync(join(project.root, "before.json"), JSON.stringify(before));
});
afterAll(() => project.remove());

it("tenon inspect shows what callers need", async () => {
  const terminal = recordingTerminal(project.root);
  expect(await run(["inspect"], terminal)).toBe(0);
  await expect(terminal.stdout()).toMatchFileSnapshot(join(fixture, "inspected.txt"));
});

describe("tenon check --against an earlier manifest", () => {
  const check = async (args: string[]) => {
    const terminal = recordingTerminal(project.root);
    return { exitCode: await run(["check", ...args], terminal), terminal };
  };

  it("finds nothing where nothing changed", async () => {
    const { exitCode, terminal } = await check(["--against", "before.json"]);
    expect(terminal.stdout()).toContain("Nobody may do more or less than before.");
    expect(exitCode).toBe(0);
  });

  it("shows first what is open to anybody, and fails", async () => {
    project.write(sourcesOf("after"));
    const { exitCode, terminal } = await check(["--against", "before.json"]);
    const [permissions = ""] = terminal.stdout().split("\n\nsample 1.2.3 ", 1);
    await expect(`${permissions}\n`).toMatchFileSnapshot(join(fixture, "report.txt"));
    expect(exitCode).toBe(1);
    const json = await check(["--against", "before.json", "--json"]);
    const { permissions: changes } = JSON.parse(json.terminal.stdout()) as { permissions: object[] };
    expect(changes).toContainEqual({
      effect: "opened",
      kind: "resource template",
      name: "file:///{name}",
      message: "needed `files:read`; now whoever may connect may read it",
    });
    expect((await check([])).exitCode).toBe(0);
  });

  it("wants a manifest", async () => {
    const { exitCode, terminal } = await check(["--against", "tsconfig.json"]);
    expect(exitCode).toBe(2);
    expect(terminal.stderr()).toContain("`tsconfig.json` is not a manifest of this version of Tenon.");
    expect((await check(["--against", "none.json"])).terminal.stderr()).toContain("cannot be read");
  });
});

describe("changes of the whole server", () => {
  it("is open to anybody when `auth` is gone", () => {
    const { auth, ...open } = before;
    expect(auth).toBeDefined();
    expect(permissionChanges(before, open)).toEqual([
      expect.objectContaining({ effect: "opened", kind: "server" }),
    ]);
    expect(permissionChanges(open, before)).toEqual([
      expect.objectContaining({ effect: "narrower", kind: "server" }),
    ]);
  });

  it("follows what scopes imply through others", () => {
    const tables = (implied: string[]): Manifest => ({
      ...before,
      auth: { scopes: { a: { implies: ["b"] }, b: { implies: implied }, c: {} } },
      tools: [],
    });
    expect(permissionChanges(tables([]), tables(["c"]))).toEqual([
      { effect: "wider", kind: "scope", name: "a", message: "implies `c` now" },
      { effect: "wider", kind: "scope", name: "b", message: "implies `c` now" },
    ]);
    expect(permissionChanges(tables(["c"]), tables([])).map(({ effect }) => effect)).toEqual([
      "narrower",
      "narrower",
    ]);
  });
});
