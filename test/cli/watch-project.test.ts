import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
// Internal: the watcher is tested without the builds that it triggers.
import { watchProject, type ProjectChange, type ProjectWatcher } from "../../packages/cli/src/dev/watch.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
let watcher: ProjectWatcher;
let isGone: boolean;
/** Reported changes, with the content that a compiler would have read at that time. */
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
  it("reports an edited source, and marks edits of settings", async () => {
    project.write({ "src/clock.ts": "1" });
    const clock = join(project.root, "src/clock.ts");
    await expect.poll(() => seen.at(-1)).toMatchObject({ files: [clock], settings: false, content: "1" });

    project.write({ "tsconfig.json": "{}" });
    await expect.poll(() => seen.at(-1)).toMatchObject({ settings: true });
  });

  it("reports an edited .env, and an installation in the project or its workspace", async () => {
    project.write({ ".env": "KEY=1" });
    const environment = join(project.root, ".env");
    await expect.poll(() => seen.at(-1)).toMatchObject({ files: [environment], settings: false });

    const folder = projectFolder(
      {
        "node_modules/.modules.yaml": "",
        "node_modules/.package-lock.json": "{}",
        "server/node_modules/.package-lock.json": "{}",
        "server/package.json": "{}",
        "server/src/clock.ts": "0",
      },
      [],
    );
    onTestFinished(() => folder.remove());
    const changes: ProjectChange[] = [];
    const inWorkspace = await watchProject(join(folder.root, "server"), (change) => {
      changes.push(change);
      return Promise.resolve();
    });
    onTestFinished(() => inWorkspace.close());
    inWorkspace.follow([], Date.now());
    for (const file of [
      "node_modules/.modules.yaml",
      "node_modules/.package-lock.json",
      "server/node_modules/.package-lock.json",
    ]) {
      const before = changes.length;
      folder.write({ [file]: `{ "changes": ${before} }` });
      // The first report may contain the other files, which were written just before.
      const files = expect.arrayContaining([join(folder.root, file)]) as string[];
      await expect
        .poll(() => changes.slice(before))
        .toContainEqual(expect.objectContaining({ files, settings: true }));
    }
  });

  it("reports files that tsconfig.json extends or references, even if they are created later", async () => {
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
      // An earlier change may be reported again, with this one or after it.
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

  it("continues after src/ was moved away and back, and ignores other folders", async () => {
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

  it.each([1, 5, 20, 40, 80])("reports a second edit that follows after %i ms", async (ms) => {
    project.write({ "src/clock.ts": "first" });
    await delay(ms);
    project.write({ "src/clock.ts": "and second" });
    await expect.poll(() => seen.at(-1)?.content).toBe("and second");
  });

  it("continues after folders were removed and created again at once", async () => {
    project.write({ "src/tools/deep/clock.ts": "0" });
    await expect.poll(() => seen.length).toBe(1);
    for (const folder of ["src/tools", "src"]) {
      const file = join(project.root, "src/tools/deep/clock.ts");
      const before = seen.length;
      rmSync(join(project.root, folder), { recursive: true });
      project.write({ "src/clock.ts": folder, "src/tools/deep/clock.ts": folder });
      await expect.poll(() => seen.slice(before).flatMap(({ files }) => files)).toContain(file);
      for (const name of ["src/new.ts", "src/tools/new.ts", "src/tools/deep/new.ts"]) {
        const added = join(project.root, name);
        await delay(100);
        project.write({ [name]: folder });
        await expect.poll(() => seen.at(-1)?.files).toEqual([added]);
      }
    }
  });

  it("continues after a folder of another package was replaced at once", async () => {
    const other = projectFolder({ "package.json": "{}", "src/lib.ts": "0" });
    onTestFinished(() => other.remove());
    watcher.follow([join(other.root, "src/lib.ts")], Date.now());
    await delay(300);
    rmSync(join(other.root, "src"), { recursive: true });
    other.write({ "src/lib.ts": "1" });
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    await delay(300);
    other.write({ "src/new.ts": "1" });
    await expect.poll(() => seen.at(-1)?.files).toEqual([join(other.root, "src/new.ts")]);
  });

  it("detects whether a reported file has changed again", async () => {
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

  it("waits for the content of an emptied file, for a limited time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    project.write({ "src/clock.ts": "" });
    // A change is not reported until no other follows for a while.
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    vi.advanceTimersByTime(50);
    expect(seen).toEqual([]);
    project.write({ "src/clock.ts": "written" });
    await expect
      .poll(() => {
        vi.advanceTimersByTime(100);
        return seen[0]?.content;
      })
      .toBe("written");

    project.write({ "src/clock.ts": "" });
    await expect
      .poll(() => {
        vi.advanceTimersByTime(100);
        return seen.at(-1)?.content;
      })
      .toBe("");
  });

  it("reports every file when many change at the same time", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `src/part-${index}.ts`);
    project.write(Object.fromEntries(names.map((name) => [name, "0"])));
    await expect
      .poll(() => new Set(seen.flatMap(({ files }) => files)))
      .toEqual(new Set(names.map((name) => join(project.root, name))));
  });
});
