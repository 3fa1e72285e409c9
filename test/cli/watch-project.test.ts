import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchProject, type ProjectChange, type ProjectWatcher } from "../../packages/cli/src/dev/watch.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
let watcher: ProjectWatcher;
let isGone: boolean;
/** What was reported, with the content that a compiler would have read then. */
let seen: (ProjectChange & { content: string })[];

beforeEach(async () => {
  project = projectFolder({ "src/clock.ts": "0" });
  seen = [];
  watcher = await watchProject(project.root, (change) => {
    const clock = join(project.root, "src/clock.ts");
    isGone = !existsSync(clock);
    if (!isGone) seen.push({ ...change, content: readFileSync(clock, "utf8") });
    return Promise.resolve();
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await watcher.close();
  project.remove();
});

describe("a watched project", () => {
  it("reports an edited source, and settings as such", async () => {
    project.write({ "src/clock.ts": "1" });
    const clock = join(project.root, "src/clock.ts");
    await expect.poll(() => seen.at(-1)).toMatchObject({ files: [clock], settings: false, content: "1" });

    project.write({ "tsconfig.json": "{}" });
    await expect.poll(() => seen.at(-1)).toMatchObject({ settings: true });
  });

  it("reports settings that tsconfig.json is made of, wherever they are, and those that are missing yet", async () => {
    const packaged = "strict/node_modules/@acme/config/node.json";
    project.write({
      "tsconfig.json": JSON.stringify({
        extends: ["./base/tsconfig.json", "./beside"],
        references: [{ path: "./app" }],
        include: ["src"],
      }),
      "base/tsconfig.json": '{ "extends": "../strict/ts" }',
      "strict/ts.json": '{ "extends": "@acme/config/node.json" }',
      "app/tsconfig.json": '{ "extends": "../away/missing.json" }',
      "beside.json": "{}",
      [packaged]: "{}",
    });
    await expect.poll(() => seen.at(-1)).toMatchObject({ settings: true });
    watcher.follow([], Date.now());
    const files = [packaged, "beside.json", "strict/ts.json", "base/tsconfig.json", "away/missing.json"];
    for (const file of [...files, "app/tsconfig.json", "beside.json", packaged]) {
      const before = seen.length;
      project.write({ [file]: `{ "compilerOptions": {} }${" ".repeat(before)}` });
      // What changed before it may be reported once more, with it or after it.
      await expect
        .poll(() => seen.slice(before).filter(({ settings }) => settings))
        .toContainEqual(
          expect.objectContaining({ files: expect.arrayContaining([join(project.root, file)]) as string[] }),
        );
    }
    const before = seen.length;
    project.write({ "src/clock.ts": "1", "base/notes.json": "{}" });
    await expect
      .poll(() => seen.slice(before))
      .toContainEqual(
        expect.objectContaining({ files: [join(project.root, "src/clock.ts")], settings: false }),
      );
    expect(seen.flatMap(({ files }) => files)).not.toContain(join(project.root, "base/notes.json"));
  });

  it("goes on when the sources were away, as with another branch, and looks at nothing else", async () => {
    renameSync(join(project.root, "src"), join(project.root, "elsewhere"));
    await expect.poll(() => isGone).toBe(true);
    renameSync(join(project.root, "elsewhere"), join(project.root, "src"));
    await expect.poll(() => seen.at(-1)?.content).toBe("0");
    project.write({ "other/notes.ts": "1", "src/clock.ts": "1" });
    await expect.poll(() => seen.at(-1)?.content).toBe("1");
    project.write({ "src/clock.ts": "2" });
    await expect.poll(() => seen.at(-1)?.content).toBe("2");
    expect(seen.flatMap(({ files }) => files).filter((file) => !file.endsWith("src/clock.ts"))).toEqual([]);
  });

  it.each([1, 5, 20, 40, 80])("misses no second edit that follows after %i ms", async (ms) => {
    project.write({ "src/clock.ts": "first" });
    await delay(ms);
    project.write({ "src/clock.ts": "and second" });
    await expect.poll(() => seen.at(-1)?.content).toBe("and second");
  });

  it("knows whether what it reported has changed again", async () => {
    project.write({ "src/clock.ts": "first" });
    await expect.poll(() => seen.at(-1)?.content).toBe("first");
    const change = seen.at(-1);
    expect(change?.isOutdated()).toBe(false);
    project.write({ "src/clock.ts": "" });
    expect(change?.isOutdated()).toBe(true);
    expect(change?.isOutdated()).toBe(false);
    project.write({ "src/clock.ts": "and second" });
    expect(change?.isOutdated()).toBe(true);
  });

  it("waits for the content of a file that was emptied first, and not for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    project.write({ "src/clock.ts": "" });
    // What is noticed is not reported before it has come to rest.
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    vi.advanceTimersByTime(50);
    expect(seen).toEqual([]);
    project.write({ "src/clock.ts": "written" });
    vi.advanceTimersByTime(100);
    expect(seen.map(({ content }) => content)).toEqual(["written"]);

    project.write({ "src/clock.ts": "" });
    await expect
      .poll(() => {
        vi.advanceTimersByTime(100);
        return seen.at(-1)?.content;
      })
      .toBe("");
  });

  it("reports many files together, once they have come to rest", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `src/part-${index}.ts`);
    project.write(Object.fromEntries(names.map((name) => [name, "0"])));
    await expect
      .poll(() => new Set(seen.flatMap(({ files }) => files)))
      .toEqual(new Set(names.map((name) => join(project.root, name))));
  });
});
