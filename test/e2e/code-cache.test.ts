import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const tenon = join(import.meta.dirname, "../../packages/cli/bin/tenon.js");
const WEATHER = `
import { Tool } from "@tenon/runtime";
export class Weather {
  /** Current conditions. */
  @Tool() current(city: string): string { return city; }
}
`;

let project: ProjectFolder;
let cache: string;

beforeAll(() => {
  project = projectFolder({ "src/weather.ts": WEATHER });
  cache = mkdtempSync(join(tmpdir(), "tenon-cache-"));
});

afterAll(() => {
  project.remove();
  chmodSync(cache, 0o700);
  rmSync(cache, { recursive: true, force: true });
});

function inspect(more: NodeJS.ProcessEnv = {}): string[] {
  const env: NodeJS.ProcessEnv = { ...process.env, XDG_CACHE_HOME: cache, ...more };
  delete env.NODE_V8_COVERAGE;
  const text = execFileSync(process.execPath, [tenon, "inspect", "--json", project.root], {
    env,
    encoding: "utf8",
  });
  return (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

/** Every file that is kept, with the time of its last change. */
function kept(): Map<string, number> {
  const files = readdirSync(cache, { recursive: true, withFileTypes: true });
  const paths = files.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return new Map(paths.map((path) => [path, statSync(path).mtimeMs]));
}

it("keeps the code of TypeScript for the next run, which makes no new one", () => {
  expect(inspect()).toEqual(["current"]);
  const first = kept();
  expect(first.size).toBeGreaterThan(0);
  expect(inspect()).toEqual(["current"]);
  expect(kept()).toEqual(first);
});

it("goes on without code that has been damaged", () => {
  for (const path of kept().keys()) writeFileSync(path, "not code");
  expect(inspect()).toEqual(["current"]);
});

it("goes on without a folder to keep it in", () => {
  expect(inspect({ XDG_CACHE_HOME: join(project.root, "package.json") })).toEqual(["current"]);
});

it("keeps nothing when Node is told to keep nothing", () => {
  rmSync(join(cache, "tenon"), { recursive: true, force: true });
  expect(inspect({ NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(["current"]);
  expect(kept().size).toBe(0);
});
