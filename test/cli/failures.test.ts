import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { writeFileTree } from "@tenon/compiler";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { Failure } from "../../packages/cli/src/terminal/failure.js";
import { reportFailure } from "../../packages/cli/src/terminal/report-failure.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const SOURCE = `import { Tool } from "@tenon/runtime";
export class Greeter {
  /** Greet. */
  @Tool()
  greet(): string {
    return "Hello!";
  }
}
`;

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder({ "src/greeter.ts": SOURCE, file: "" });
});
afterEach(() => project.remove());

/** What is printed about an error, with the project folder as `…`. */
function report(error: unknown): string {
  const terminal = recordingTerminal(project.root);
  expect(reportFailure(error, terminal)).toBe(1);
  return terminal.stderr().replaceAll(project.root, "…");
}

/** The error of the system call that a function makes. */
function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It went well.");
}

/** An error of a system call that cannot be made on every machine. */
function refused(code: string, errno: number, syscall: string): Error {
  const error = new Error(`${code}: refused, ${syscall} '/srv/app'`);
  return Object.assign(error, { code, errno, syscall, path: "/srv/app" });
}

describe("what the operating system refuses is told without a stack", () => {
  it("of what can be made to fail anywhere", () => {
    const at = (path: string): string => join(project.root, path);
    const errors = [
      errorOf(() => mkdirSync(at("file/folder"))),
      errorOf(() => writeFileSync(at("src"), "")),
      errorOf(() => mkdirSync(at("file"))),
      errorOf(() => copyFileSync(at("file"), at("none/file"))),
      errorOf(() => readFileSync(at("none"))),
    ];
    expect(errors.map(report).join("")).toMatchInlineSnapshot(`
      "error  \`…/file/folder\` cannot be made: not a directory (ENOTDIR).
      hint   A part of this path is a file. Choose another place.
      error  \`…/src\` cannot be opened: illegal operation on a directory (EISDIR).
      hint   There is a folder where a file is wanted.
      error  \`…/file\` cannot be made: file already exists (EEXIST).
      hint   There is a file of that name already.
      error  \`…/none/file\` cannot be copied: no such file or directory (ENOENT).
      hint   A part of this path does not exist.
      error  \`…/none\` cannot be opened: no such file or directory (ENOENT).
      hint   A part of this path does not exist.
      "
    `);
  });

  it("of what depends on the machine", () => {
    const errors = [
      refused("EACCES", -13, "mkdir"),
      refused("EPERM", -1, "open"),
      refused("EROFS", -30, "mkdir"),
      refused("ENOSPC", -28, "write"),
    ];
    expect(errors.map(report).join("")).toMatchInlineSnapshot(`
      "error  \`/srv/app\` cannot be made: permission denied (EACCES).
      hint   Look at who owns it and who may write there, or choose another place.
      error  \`/srv/app\` cannot be opened: operation not permitted (EPERM).
      hint   Look at who owns it and who may write there, or choose another place.
      error  \`/srv/app\` cannot be made: read-only file system (EROFS).
      hint   The file system is read-only. Choose another place.
      error  \`/srv/app\` cannot be written: no space left on device (ENOSPC).
      hint   The disk is full.
      "
    `);
  });

  it("of a folder that was to be read as a file, which does not say where", () => {
    const error = errorOf(() => readFileSync(join(project.root, "src")));
    expect(report(error)).toMatchInlineSnapshot(`
      "error  A file cannot be read: illegal operation on a directory (EISDIR).
      hint   There is a folder where a file is wanted.
      "
    `);
  });

  it("of a write, which does not say where", () => {
    const error = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", errno: -28, syscall: "write" });
    expect(report(error)).toMatchInlineSnapshot(`
      "error  A file cannot be written: no space left on device (ENOSPC).
      hint   The disk is full.
      "
    `);
  });

  it("when a server is built into a file", async () => {
    const terminal = recordingTerminal(project.root);
    expect(await run(["build", "--out", "file"], terminal)).toBe(1);
    expect(terminal.stderr().replaceAll(project.root, "…")).toMatchInlineSnapshot(`
      "error  \`…/file\` cannot be made: file already exists (EEXIST).
      hint   There is a file of that name already.
      "
    `);
  });

  it("but an error of the program keeps its stack", () => {
    expect(report(new TypeError("x is not a function"))).toMatch(
      /^error {2}This is a bug in Tenon, not in your project\. Please report it\.\nTypeError: x is not a function\n {4}at /,
    );
  });
});

describe("a tree of files of which one cannot be written", () => {
  it("leaves the others as they were, and nothing beside them", () => {
    project.write({ "out/a.txt": "old" });
    const tree = new Map([
      ["a.txt", "new"],
      ["b.txt", "new"],
      ["a.txt/c.txt", "new"],
    ]);
    expect(() => writeFileTree(tree, join(project.root, "out"))).toThrow(/a\.txt/);
    expect(readdirSync(join(project.root, "out"))).toEqual(["a.txt"]);
    expect(readFileSync(join(project.root, "out/a.txt"), "utf8")).toBe("old");
  });

  it("leaves the others as they were where a folder has the name of one", () => {
    project.write({ "out/a.txt": "old", "out/b.txt/c.txt": "old" });
    const tree = new Map([
      ["a.txt", "new"],
      ["b.txt", "new"],
    ]);
    expect(() => writeFileTree(tree, join(project.root, "out"))).toThrow(/EISDIR/);
    expect(readdirSync(join(project.root, "out"))).toEqual(["a.txt", "b.txt"]);
    expect(readFileSync(join(project.root, "out/a.txt"), "utf8")).toBe("old");
  });

  it.runIf(process.platform !== "win32")("keeps links and permissions", () => {
    project.write({ "src/script": "old" });
    chmodSync(join(project.root, "src/script"), 0o750);
    symlinkSync("src/script", join(project.root, "link"));
    expect(writeFileTree(new Map([["link", "new"]]), project.root)).toEqual(["link"]);
    expect(readFileSync(join(project.root, "src/script"), "utf8")).toBe("new");
    expect(statSync(join(project.root, "src/script")).mode & 0o777).toBe(0o750);
  });
});

describe("files as editors of Windows save them", () => {
  const saved = (path: string): void => {
    const text = readFileSync(join(project.root, path), "utf8").replaceAll("\n", "\r\n");
    writeFileSync(join(project.root, path), `\uFEFF${text}`);
  };

  it("are read as all others, and keep their form where they are changed", async () => {
    const settings = {
      name: "sample",
      version: "1.0.0",
      type: "module",
      description: "Says hello.",
      repository: "github:ada/sample",
    };
    project.write({ "package.json": `${JSON.stringify(settings, null, 2)}\n` });
    expect(await run(["check", "--write"], recordingTerminal(project.root))).toBe(0);
    for (const path of ["package.json", "tsconfig.json", "tenon.lock.json", "src/greeter.ts"]) saved(path);
    for (const [words, shown] of [
      ["check", "Clients see what they saw before."],
      ["call greet", "Hello!"],
      ["package --npx --registry", "server.json"],
    ] as const) {
      const terminal = recordingTerminal(project.root);
      expect([await run(words.split(" "), terminal), terminal.stderr()]).toEqual([0, ""]);
      expect(terminal.stdout()).toContain(shown);
    }
    const text = readFileSync(join(project.root, "package.json"), "utf8");
    expect(text).toMatch(/^\uFEFF\{\r\n {2}"name": "sample",\r\n {2}"mcpName": "io.github.ada\/sample",\r\n/);
    expect(text).not.toMatch(/[^\r]\n/);
  });
});

test.each(["", "[]", '{ "name": "sample", }', '{ "name": "sample" } // mine'])(
  "a package.json of %j is told to be none, as Node would tell later",
  async (text) => {
    const terminal = recordingTerminal(project.root);
    project.write({ "package.json": text });
    expect(await run(["inspect"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("config-unreadable\n  package.json: ");
  },
);

it("is broken where a narrow terminal ends, and left whole for programs", () => {
  const failure = new Failure(
    "package.json does not say all that others have to know:\n" +
      "  - package.json has no author, whom a bundle has to name.\n    Add it.",
    { hint: "Every one of these is asked for once, and kept." },
  );
  const printed = (redraws: boolean): string => {
    const terminal = recordingTerminal(project.root);
    Object.assign(terminal.err, { columns: 40, redraws });
    reportFailure(failure, terminal);
    return terminal.stderr();
  };
  expect(printed(false)).toBe(`error  ${failure.message}\nhint   ${failure.hint}\n`);
  expect(printed(true)).toMatchInlineSnapshot(`
    "error  package.json does not say all
           that others have to know:
      - package.json has no author, whom a
        bundle has to name.
        Add it.
    hint   Every one of these is asked for
           once, and kept.
    "
  `);
});
