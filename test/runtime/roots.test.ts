import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { resolveInRoots, type Root } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LATEST_LEGACY } from "../support/describe-transports.js";
import { createAskingFixture } from "./asking/application.js";

test("a test client announces that its roots changed", async () => {
  const roots = [{ uri: "file:///one" }];
  const server = createServer(createAskingFixture(), { onInternalError: () => {} });
  const client = await connect(server, { revision: LATEST_LEGACY, answers: { roots } });
  const watching = client.callTool("watchRoots", { times: 1 });
  roots[0] = { uri: "file:///two" };
  client.notify("notifications/roots/list_changed");
  expect(await watching).toMatchObject({ content: [{ text: "file:///two" }] });
  client.close();
});

describe("a path", () => {
  let base: string;
  let roots: Root[];
  const at = (path: string): string => join(base, path);

  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "tenon-roots-")));
    for (const folder of ["work/src", "work-old", "other/deep", "shared"])
      mkdirSync(at(folder), { recursive: true });
    for (const file of ["work/src/a.ts", "work/..b", "work-old/a.ts", "other/secret", "shared/c"]) {
      writeFileSync(at(file), "");
    }
    symlinkSync(at("other"), at("work/out"));
    symlinkSync("../other/deep", at("work/deep"));
    symlinkSync(at("work/src"), at("in"));
    symlinkSync(at("other/new"), at("work/new"));
    symlinkSync("loop", at("work/loop"));
    symlinkSync(at("shared"), at("link"));
    roots = [
      { uri: pathToFileURL(at("work")).href },
      { uri: pathToFileURL(at("link")).href, name: "Shared" },
      { uri: "https://example.com/" },
      { uri: "file:///%00" },
    ];
  });
  afterAll(() => rmSync(base, { recursive: true }));

  const inside: [string, string][] = [
    ["work/src/a.ts", "work/src/a.ts"],
    ["work", "work"],
    ["work/", "work"],
    ["work/./src/../src//a.ts", "work/src/a.ts"],
    ["other/../work/src/a.ts", "work/src/a.ts"],
    ["work/..b", "work/..b"],
    ["work/new folder/new.ts", "work/new folder/new.ts"],
    // Links that lead inside, the one of a root among them.
    ["in/a.ts", "work/src/a.ts"],
    ["link/c", "shared/c"],
    ["shared/c", "shared/c"],
  ];
  test.each(inside)("%s lies inside a root", async (path, real) => {
    expect(await resolveInRoots(`${base}/${path}`, roots)).toBe(at(real));
    expect(await resolveInRoots(relative(process.cwd(), base) + `/${path}`, roots)).toBe(at(real));
  });

  test.each([
    "",
    "other/secret",
    "work-old/a.ts",
    "work/../other/secret",
    "work/out/secret",
    "work/out",
    "work/deep/../secret",
    "work/new",
    "work/new/x",
    "work/loop",
    "work/loop/x",
    "work/src/a.ts/x",
    "work/a\0",
    "work/../..",
  ])("%j lies outside", async (path) => {
    expect(await resolveInRoots(`${base}/${path}`, roots)).toBeUndefined();
  });

  test("may be a `file:` URL, but not any other URL", async () => {
    const url = pathToFileURL(at("work/src/a.ts"));
    expect(await resolveInRoots(url, roots)).toBe(at("work/src/a.ts"));
    expect(await resolveInRoots(url.href, roots)).toBe(at("work/src/a.ts"));
    expect(
      await resolveInRoots(`${pathToFileURL(at("work")).href}/%2e%2e/other/secret`, roots),
    ).toBeUndefined();
    expect(await resolveInRoots(new URL("https://example.com/a"), roots)).toBeUndefined();
    expect(await resolveInRoots("file:///%2Fetc", roots)).toBeUndefined();
  });

  test("lies outside if there are no roots", async () => {
    expect(await resolveInRoots(at("work/src/a.ts"), [])).toBeUndefined();
    expect(await resolveInRoots("/", [{ uri: "file:///" }])).toBe("/");
  });
});
