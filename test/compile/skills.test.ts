import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, type Compilation, type Diagnostic } from "@tenon/compiler";
import { afterEach, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { skillText } from "../support/skill-application.js";

const TOOLS = `import { Tool } from "@tenon/runtime";

export class Orders {
  /** Finds an order. */
  @Tool({ readOnly: true, openWorld: false })
  get_order(id: string): string {
    return id;
  }
}
`;

let project: ProjectFolder | undefined;
afterEach(() => {
  project?.remove();
  project = undefined;
});

function compileWith(
  files: Record<string, string>,
  prepare: (skills: string) => void = () => {},
): Compilation {
  project = projectFolder({
    "src/orders.ts": TOOLS,
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text])),
  });
  mkdirSync(join(project.root, "skills"), { recursive: true });
  prepare(join(project.root, "skills"));
  return compile({ root: project.root });
}

const format = ({ diagnostics }: { diagnostics: readonly Diagnostic[] }): string[] =>
  diagnostics.map(({ code, message }) => `${code}: ${message}`);
const servedFiles = ({ manifest }: Compilation): string[] =>
  (manifest?.skillFiles ?? []).map(({ definition }) => definition.uri.slice("skill://".length));

describe("the files of a skill", () => {
  test("include those of links inside skills/, and bytes", () => {
    const compilation = compileWith(
      { "a/SKILL.md": skillText("a"), "shared/terms.md": "# Terms", "shared/SKILL.md": skillText("shared") },
      (skills) => {
        symlinkSync("../shared/terms.md", join(skills, "a/terms.md"));
        writeFileSync(join(skills, "a/logo.png"), Buffer.from([137, 80, 78, 71, 255]));
      },
    );
    expect(format(compilation)).toEqual([]);
    expect(servedFiles(compilation)).toEqual([
      "a/SKILL.md",
      "a/logo.png",
      "a/terms.md",
      "shared/SKILL.md",
      "shared/terms.md",
    ]);
  });

  test.each<[string, string, (skills: string) => void]>([
    [
      "link out of the folder",
      "is a symbolic link to a file outside `skills/`",
      (skills) => symlinkSync("/etc/hostname", join(skills, "a/leak.md")),
    ],
    [
      "link to a folder outside",
      "is a symbolic link to a file outside `skills/`",
      (skills) => symlinkSync("../../src", join(skills, "a/sources")),
    ],
    [
      "broken link",
      "is a symbolic link to a file that does not exist",
      (skills) => symlinkSync("nowhere.md", join(skills, "a/broken.md")),
    ],
    [
      "circular link",
      "is a symbolic link to a folder that contains the link",
      (skills) => symlinkSync("..", join(skills, "a/again")),
    ],
    [
      "name that differs only in case",
      "only in case",
      (skills) => {
        writeFileSync(join(skills, "a/Guide.md"), "1");
        writeFileSync(join(skills, "a/guide.md"), "2");
      },
    ],
    ...(
      [
        ["back\\slash.md", "has `\\` in its name"],
        ["a:b.md", "has `:` in its name"],
        ["a\nb.md", "has U+000A in its name"],
        ["end.", "has `.` at the end of its name"],
        ["nul.txt", "has `nul` in its name"],
        [Buffer.from("a\xff.md", "latin1"), "has bytes in its name that are not UTF-8"],
      ] as const
    ).map(([name, problem]): [string, string, (skills: string) => void] => [
      `name such as ${JSON.stringify(String(name))}`,
      problem,
      (skills) => writeFileSync(Buffer.concat([Buffer.from(`${skills}/a/`), Buffer.from(name)]), ""),
    ]),
    [
      "SKILL.md that is not text",
      "is not text in UTF-8",
      (skills) => writeFileSync(join(skills, "a/SKILL.md"), Buffer.from([255, 254, 45])),
    ],
  ])("a %s is an error, and the other skills are served", (_name, problem, prepare) => {
    const files = { "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") };
    const compilation = compileWith(files, prepare);
    expect(format(compilation)).toEqual([expect.stringMatching(/^skill-file-invalid: /)]);
    expect(format(compilation).join()).toContain(problem);
    expect(compilation.emit).toBeUndefined();
    expect(compilation.emitOthers).toBeDefined();
    expect(servedFiles(compilation)).toEqual(["b/SKILL.md"]);
  });

  test("do not include files that systems and editors create", () => {
    const compilation = compileWith({
      "a/SKILL.md": skillText("a"),
      "a/.DS_Store": "",
      "a/Thumbs.db": "",
      "a/.SKILL.md.swp": "",
      "a/notes.md~": "",
    });
    expect(format(compilation)).toEqual([]);
    expect(servedFiles(compilation)).toEqual(["a/SKILL.md"]);
  });

  test("are at most 512", () => {
    const files = Object.fromEntries(
      Array.from({ length: 512 }, (_, index) => [`a/references/${index}.txt`, String(index)]),
    );
    expect(format(compileWith({ "a/SKILL.md": skillText("a"), ...files }))).toEqual([
      expect.stringContaining("has 513 files"),
    ]);
  });

  test("share a module if they have the same content", async () => {
    const text = skillText("a");
    const compilation = compileWith({ "a/SKILL.md": text, "a/1.txt": "same", "a/2.txt": "same" });
    const files = await compilation.emit?.();
    expect([...(files ?? [])].filter(([name]) => name.startsWith("skill-"))).toHaveLength(2);
    expect(files?.get("application.js")).toContain('"skill://a/2.txt": { load: () => import("./skill-');
  });
});

describe("a server without skills", () => {
  test("contains no data or code for skills", async () => {
    const { emit, manifest } = compileWith({});
    expect(manifest).not.toHaveProperty("skills");
    expect((await emit?.())?.get("application.js")).not.toContain("skill");
  });
});

/** Returns the names or texts that the text of a skill mentions although the server lacks them. */
function findUnknown(body: string, more = ""): string[] {
  const compilation = compileWith({
    "a/SKILL.md": skillText("a", body, more),
    "a/references/policy.md": "# Policy",
  });
  return compilation.diagnostics.map(({ code, span }) => {
    const { line, column } = span?.start ?? { line: 0, column: 0 };
    const text = span?.excerpt.lines[line - span.excerpt.firstLine] ?? "";
    return `${code.replace("skill-", "")} ${text.slice(column - 1, (span?.end.column ?? 0) - 1)}`;
  });
}

describe("a mention", () => {
  test.each([
    "Use the `find` tool.",
    "Use the MCP\ntool `find` here.",
    "The tools `get_order` and `find` help.",
    "Use `find` and `get_order` tools.",
    "Call `get_order`, then `find`.",
    "Calling `find` fails.",
    "The tool called `find` helps.",
    "- First\n- Use the ``find`` tool.",
    "> Use the `find` tool.",
    "Use `tool:find`.",
    "See [the tool](tool:find).",
    "Use the `sample:find` tool.",
    "Use the `mcp__sample__find` tool.",
    "Use `sample:find` here.",
    "Use `mcp__sample__find` here.",
  ])("is found in %j", (body) => {
    expect(findUnknown(body)).toEqual([
      expect.stringMatching(/^mention-unknown (?:sample:|mcp__sample__)?find$/),
    ]);
  });

  test.each([
    "Use the `get_order` tool with `id`.",
    "Use the `GitHub:create_issue` tool.",
    "Use the `mcp__github__create_issue` tool.",
    "Use `sample:get_order`, `mcp__sample__get_order`, and `GitHub:find` here.",
    "Run `jq` and `npm test`. A `tool` is a program.",
    "The `system` prompt and the `--verbose` tool option.",
    "```\nUse the `find` tool.\n```",
    "~~~md\nCall `find`.\n```\nCall `find`.\n~~~",
    "<!-- Use the `find` tool. -->",
    "<!--\n\nUse the `find` tool.\n\n-->",
    "`find`\n\ntool",
    "See [the page](https://example.com/x) and [mail](mailto:a@example.com).",
    "See [the policy](references/policy.md#refunds), `references/policy.md`, and [here](#here).",
    "Read `skill://a/references/policy.md`, `file:///etc/hosts`.",
    "The `tooling` prompts.txt file, `recall` and `Callback`.",
  ])("is not found in %j", (body) => {
    expect(findUnknown(body)).toEqual([]);
  });

  test("is allowed for a tool of the client that the skill lists", () => {
    expect(
      findUnknown("Use the `Bash` tool and the `Read` tool.", "allowed-tools: Bash(git:*) Read\n"),
    ).toEqual([]);
    expect(findUnknown("Use the `Bash` tool.")).toEqual(["mention-unknown Bash"]);
  });

  test.each([
    ["Read `skill://a/references/nothing.md`.", "mention-unknown skill://a/references/nothing.md"],
    ["Read `skil://a/SKILL.md`.", "mention-unknown skil://a/SKILL.md"],
    ["Read `resource:nope://5`.", "mention-unknown nope://5"],
    ["Read [a page](resource:https://example.com/x).", "mention-unknown https://example.com/x"],
    ["Write `get_orders` here.", "mention-similar get_orders"],
    ["Read [the policy](references/polcy.md).", "link-broken references/polcy.md"],
    ["Read `references/polcy.md`.", "link-broken references/polcy.md"],
    ["See [policy].\n\n[policy]: policy.md", "link-broken policy.md"],
  ])("is reported at its position in %j", (body, expected) => {
    expect(findUnknown(body)).toEqual([expected]);
  });

  test("is reported with the new name of a renamed tool, with file, line, and column", () => {
    project = projectFolder({
      "src/orders.ts": TOOLS.replace("get_order(", "find_purchase_order("),
      "skills/a/SKILL.md": skillText("a", "Text.\r\nUse the `order` tool."),
    });
    const [diagnostic] = compile({ root: project.root }).diagnostics;
    expect(diagnostic).toMatchObject({
      code: "skill-mention-unknown",
      severity: "error",
      skill: "a",
      span: { file: "skills/a/SKILL.md", start: { line: 7, column: 10 } },
      hint: expect.stringContaining("Did you mean `find_purchase_order`?") as string,
    });
  });
});

test("frontmatter with Windows line endings is read", () => {
  const { manifest, diagnostics } = compileWith({
    "a/SKILL.md":
      '---\r\nname: a\r\ndescription: |\r\n  Two\r\n  lines\r\nversion: "1.0"\r\n---\r\n\r\nText.\r\n',
  });
  expect(diagnostics).toEqual([]);
  expect(manifest?.skills?.[0]?.definition.frontmatter).toEqual({
    name: "a",
    description: "Two\nlines\n",
    version: "1.0",
  });
});

describe("frontmatter", () => {
  const compileFrontmatter = (members: string): string[] =>
    format(compileWith({ "a/SKILL.md": `---\nname: a\n${members}\n---\n\nText.\n` }));

  test("may have a description of 1024 characters, of which an emoji is one", () => {
    expect(compileFrontmatter(`description: ${"🧾".repeat(1024)}`)).toEqual([]);
    expect(compileFrontmatter(`description: ${"🧾".repeat(1025)}`)).toEqual([
      expect.stringContaining("must be a string of 1 to 1024 characters"),
    ]);
  });

  test.each([
    ["1e3", true],
    ["1.5e3", true],
    ["09", true],
    ["[a, 1e3]", true],
    ["1.5e+3", false],
    ['"1e3"', false],
    ["100", false],
    ["0.9", false],
    ["a1e3", false],
    ["1.2.3e4", false],
  ])("with the value %s: that parsers read it differently is reported: %s", (value, isReported) => {
    const found = compileFrontmatter(`description: Text.\nbuild: ${value}`);
    expect(found).toEqual(isReported ? [expect.stringContaining("Clients read `build`")] : []);
  });

  test("with a value that contains itself is an error", () => {
    expect(compileFrontmatter("description: Text.\nlist: &list [*list]")).toEqual([
      expect.stringContaining("`list` in the frontmatter contains a value that JSON cannot represent"),
    ]);
  });
});
