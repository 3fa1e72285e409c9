/** The official client calls this server and the published one: the results are equal, or a reason is given. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSample, type Sample } from "../../examples/files/test/sample.js";
import { ask, outlineTools, startExample, startPublished, type Side } from "./sides.js";

let samples: [Sample, Sample];
let [ours, theirs] = [] as unknown as [Side, Side];
beforeAll(async () => {
  samples = [makeSample(), makeSample()];
  const [mine, published] = [samples[0].data, samples[1].data];
  [ours, theirs] = await Promise.all([
    startExample("files", mine, { FILES_DIRECTORIES: mine }),
    startPublished("@modelcontextprotocol/server-filesystem", published, [published]),
  ]);
});
afterAll(async () => {
  await Promise.all([ours.client.close(), theirs.client.close()]);
  for (const sample of samples) sample.remove();
});

/** Files that were created one after the other have different times. */
function withoutTimes(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/(created|modified|accessed): [^\\]*/g, "$1: then"));
}

const edits = (oldText: string, newText: string) => [{ oldText, newText }];

const EQUAL: [name: string, args: object][] = [
  ["list_allowed_directories", {}],
  ["read_file", { path: "DATA/readme.md" }],
  ["read_text_file", { path: "DATA/readme.md" }],
  ["read_text_file", { path: "readme.md" }],
  ["read_text_file", { path: "docs/../readme.md" }],
  ["read_text_file", { path: "link.md" }],
  ["read_text_file", { path: "papers/green.txt" }],
  ["read_text_file", { path: "readme.md", head: 2 }],
  ["read_text_file", { path: "readme.md", head: 99 }],
  ["read_text_file", { path: "readme.md", tail: 2 }],
  ["read_text_file", { path: "docs/green.txt", tail: 2 }],
  ["read_text_file", { path: "docs/deep/oolong.txt", tail: 1 }],
  ["read_text_file", { path: "docs/.hidden", head: 1 }],
  ["read_text_file", { path: "cafe\u0301.txt" }],
  ["read_text_file", { path: "readme.md", head: 1, tail: 1 }],
  ["read_text_file", { path: "missing.txt" }],
  ["read_text_file", { path: "docs" }],
  ["read_text_file", { path: "out/secret.txt" }],
  ["read_text_file", { path: "secret.txt" }],
  ["read_text_file", { path: "../database/secret.txt" }],
  ["read_text_file", { path: "DATAbase/secret.txt" }],
  ["read_text_file", { path: "/etc/passwd" }],
  ["read_text_file", { path: "C:\\Windows\\win.ini" }],
  ["read_text_file", { path: "readme.md\u0000.png" }],
  ["read_text_file", {}],
  ["read_media_file", { path: "cup.png" }],
  ["read_media_file", { path: "leaf.bin" }],
  ["read_multiple_files", { paths: ["readme.md", "docs/green.txt"] }],
  ["read_multiple_files", { paths: [] }],
  ["list_directory", { path: "DATA" }],
  ["list_directory", { path: "empty" }],
  ["list_directory", { path: "papers" }],
  ["list_directory", { path: "out" }],
  ["list_directory", { path: "readme.md" }],
  ["list_directory_with_sizes", { path: "docs" }],
  ["list_directory_with_sizes", { path: "empty", sortBy: "size" }],
  ["list_directory_with_sizes", { path: "DATA", sortBy: "age" }],
  ["directory_tree", { path: "DATA" }],
  ["directory_tree", { path: "DATA", excludePatterns: ["node_modules", "*.md"] }],
  ["directory_tree", { path: "docs", excludePatterns: ["deep/deeper"] }],
  ["search_files", { path: "DATA", pattern: "**/*.txt" }],
  ["search_files", { path: "DATA", pattern: "*.md" }],
  ["search_files", { path: "DATA", pattern: "**", excludePatterns: ["node_modules/**", "docs"] }],
  ["search_files", { path: "docs", pattern: "{green,black}.*" }],
  ["search_files", { path: "docs", pattern: "nothing" }],
  ["search_files", { path: "out", pattern: "**" }],
  ["get_file_info", { path: "readme.md" }],
  ["get_file_info", { path: "empty" }],
  ["get_file_info", { path: "out" }],
  ["write_file", { path: "new.txt", content: "new" }],
  ["write_file", { path: "new.txt", content: "newer" }],
  ["write_file", { path: "link.md", content: "# Tea\n\nBoil water.\nWait.\nPour." }],
  ["write_file", { path: "missing/new.txt", content: "new" }],
  ["write_file", { path: "docs", content: "new" }],
  ["write_file", { path: "dangling.txt", content: "new" }],
  ["write_file", { path: "out/new.txt", content: "new" }],
  ["write_file", { path: "DATAbase/new.txt", content: "new" }],
  ["edit_file", { path: "readme.md", edits: edits("Wait.", "Wait $& long."), dryRun: true }],
  ["edit_file", { path: "readme.md", edits: edits("Wait.", "Wait $& long.") }],
  ["edit_file", { path: "readme.md", edits: edits("Pour.", "```\nPour.\n```") }],
  ["edit_file", { path: "readme.md", edits: edits("Drink.", "Sip.") }],
  [
    "edit_file",
    { path: "docs/deep/deeper/white.ts", edits: edits('pour("white");\nwait(3);', 'pour("w");\n  wait(4);') },
  ],
  ["create_directory", { path: "a/b/c" }],
  ["create_directory", { path: "a/b" }],
  ["create_directory", { path: "readme.md/a" }],
  ["create_directory", { path: "out/a" }],
  ["move_file", { source: "new.txt", destination: "a/moved.txt" }],
  ["move_file", { source: "a", destination: "z" }],
  ["move_file", { source: "readme.md", destination: "z/moved.txt" }],
  ["move_file", { source: "missing.txt", destination: "z/missing.txt" }],
  ["move_file", { source: "secret.txt", destination: "z/secret.txt" }],
  ["move_file", { source: "readme.md", destination: "out/readme.md" }],
  ["directory_tree", { path: "z" }],
  ["read_multiple_files", { paths: ["readme.md", "z/moved.txt", "docs/deep/deeper/white.ts"] }],
];

test("the example offers the reference server's tools, with the same arguments", async () => {
  expect(await outlineTools(ours)).toEqual(await outlineTools(theirs));
});

describe("the example responds identically", () => {
  test.each(EQUAL)("%s %o", async (name, args) => {
    const [mine, published] = await Promise.all([ask(ours, name, args), ask(theirs, name, args)]);
    expect(withoutTimes(mine)).toEqual(withoutTimes(published));
  });
});

/** Calls in which the published server is wrong. */
const DIFFERENT: { why: string; name: string; args: object; theirs: object; ours: object }[] = [
  {
    why: "the last line of text that ends with a line break is not empty",
    name: "read_text_file",
    args: { path: "docs/deep/deeper/white.ts", tail: 1 },
    theirs: { structuredContent: { content: "" } },
    ours: { structuredContent: { content: "}" } },
  },
  {
    why: "the number of lines must be a positive whole number",
    name: "read_text_file",
    args: { path: "readme.md", head: -1 },
    theirs: { structuredContent: { content: "" } },
    ours: { isError: true },
  },
  {
    why: "arguments that the tool does not have are rejected",
    name: "read_text_file",
    args: { path: "readme.md", heads: 1 },
    theirs: { content: [expect.objectContaining({ type: "text" })] },
    ours: { isError: true },
  },
  {
    why: "text contains no invisible characters, and data contains all of them",
    name: "read_text_file",
    args: { path: "leaf.bin" },
    theirs: { content: [{ text: "\ufffd\ufffd\0" }], structuredContent: { content: "\ufffd\ufffd\0" } },
    ours: { content: [{ text: "\ufffd\ufffd" }], structuredContent: { content: "\ufffd\ufffd\0" } },
  },
  {
    why: "the entry of a directory on the disk does not count as its size",
    name: "list_directory_with_sizes",
    args: { path: "docs/deep", sortBy: "size" },
    theirs: { structuredContent: { content: expect.stringMatching(/^\[DIR\] deeper/) as string } },
    ours: { structuredContent: { content: expect.stringMatching(/^\[FILE\] oolong/) as string } },
  },
  {
    why: "an edit does not damage text that is not UTF-8",
    name: "edit_file",
    args: { path: "leaf.bin", edits: edits("\u0000", "x") },
    theirs: { content: [expect.objectContaining({ type: "text" })] },
    ours: { isError: true },
  },
];

describe("the example responds differently because", () => {
  test.each(DIFFERENT)("$why", async ({ name, args, theirs: published, ours: mine }) => {
    expect(await ask(theirs, name, args)).toMatchObject(published);
    expect(await ask(ours, name, args)).toMatchObject(mine);
  });

  test("an edit keeps a file's line endings", async () => {
    for (const [side, expected] of [
      [theirs, "sencha\nhojicha\nmatcha"],
      [ours, "sencha\r\nhojicha\r\nmatcha"],
    ] as const) {
      await ask(side, "edit_file", { path: "docs/green.txt", edits: edits("gyokuro", "hojicha") });
      expect(readFileSync(join(side.data, "docs/green.txt"), "utf8")).toBe(expected);
    }
  });

  test("moving a link moves the link itself", async () => {
    for (const [side, lost] of [
      [theirs, true],
      [ours, false],
    ] as const) {
      await ask(side, "move_file", { source: "link.md", destination: "moved.md" });
      expect(await ask(side, "read_text_file", { path: "readme.md" })).toMatchObject(
        lost ? { isError: true } : {},
      );
      expect(realpathSync(join(side.data, "moved.md"))).toBe(
        join(side.data, lost ? "moved.md" : "readme.md"),
      );
    }
  });

  // The published server loses a random number of them.
  test("concurrent edits all succeed", async () => {
    const path = "leaves.txt";
    const names = Array.from({ length: 20 }, (_, index) => `leaf${index}`);
    await ask(ours, "write_file", { path, content: names.map((name) => `${name};`).join("\n") });
    await Promise.all(
      names.map((name) => ask(ours, "edit_file", { path, edits: edits(`${name};`, `${name}!`) })),
    );
    expect(readFileSync(join(ours.data, path), "utf8")).toBe(names.map((name) => `${name}!`).join("\n"));
  });

  test("the size of files outside the roots is not revealed", async () => {
    const findLine = async (side: Side): Promise<string | undefined> => {
      const { structuredContent } = await ask(side, "list_directory_with_sizes", { path: "DATA" });
      return String(structuredContent?.["content"])
        .split("\n")
        .find((line) => line.includes("secret.txt"));
    };
    expect(await findLine(theirs)).toMatch(/6 B$/);
    expect(await findLine(ours)).toMatch(/0 B$/);
  });
});
