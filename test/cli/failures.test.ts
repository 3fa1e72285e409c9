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
// Internal: how a command reports unexpected errors, which no test can provoke.
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

/** Returns the printed report of an error, with the project folder as `…`. */
function report(error: unknown): string {
  const terminal = recordingTerminal(project.root);
  expect(reportFailure(error, terminal)).toBe(1);
  return terminal.stderr().replaceAll(project.root, "…");
}

/** Returns the error of the system call that a function makes. */
function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It went well.");
}

/** Creates an error of a system call that cannot be provoked on every machine. */
function systemError(code: string, errno: number, syscall: string): Error {
  const error = new Error(`${code}: refused, ${syscall} '/srv/app'`);
  return Object.assign(error, { code, errno, syscall, path: "/srv/app" });
}

describe("an error of the operating system is reported without a stack", () => {
  it("if it can occur anywhere", () => {
    const at = (path: string): string => join(project.root, path);
    const errors = [
      catchError(() => mkdirSync(at("file/folder"))),
      catchError(() => writeFileSync(at("src"), "")),
      catchError(() => mkdirSync(at("file"))),
      catchError(() => copyFileSync(at("file"), at("none/file"))),
      catchError(() => readFileSync(at("none"))),
    ];
    expect(errors.map(report).join("")).toMatchInlineSnapshot(`
      "error  \`…/file/folder\` cannot be created: not a directory (ENOTDIR).
      hint   A part of this path is a file. Choose another path.
      error  \`…/src\` cannot be opened: illegal operation on a directory (EISDIR).
      hint   This path is a folder. Name a file.
      error  \`…/file\` cannot be created: file already exists (EEXIST).
      hint   A file with this name already exists. Remove it, or choose another name.
      error  \`…/none/file\` cannot be copied: no such file or directory (ENOENT).
      hint   A part of this path does not exist. Check the spelling.
      error  \`…/none\` cannot be opened: no such file or directory (ENOENT).
      hint   A part of this path does not exist. Check the spelling.
      "
    `);
  });

  it("if it depends on the machine", () => {
    const errors = [
      systemError("EACCES", -13, "mkdir"),
      systemError("EPERM", -1, "open"),
      systemError("EROFS", -30, "mkdir"),
      systemError("ENOSPC", -28, "write"),
    ];
    expect(errors.map(report).join("")).toMatchInlineSnapshot(`
      "error  \`/srv/app\` cannot be created: permission denied (EACCES).
      hint   Check its owner and permissions, or choose another path.
      error  \`/srv/app\` cannot be opened: operation not permitted (EPERM).
      hint   Check its owner and permissions, or choose another path.
      error  \`/srv/app\` cannot be created: read-only file system (EROFS).
      hint   The file system is read-only. Choose another path.
      error  \`/srv/app\` cannot be written: no space left on device (ENOSPC).
      hint   The disk is full. Free some space and try again.
      "
    `);
  });

  it("if a folder was read as a file, which Node reports without a path", () => {
    const error = catchError(() => readFileSync(join(project.root, "src")));
    expect(report(error)).toMatchInlineSnapshot(`
      "error  A file cannot be read: illegal operation on a directory (EISDIR).
      hint   This path is a folder. Name a file.
      "
    `);
  });

  it("if it occurs on writing, which Node reports without a path", () => {
    const error = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", errno: -28, syscall: "write" });
    expect(report(error)).toMatchInlineSnapshot(`
      "error  A file cannot be written: no space left on device (ENOSPC).
      hint   The disk is full. Free some space and try again.
      "
    `);
  });

  it("if the output folder is a file", async () => {
    const terminal = recordingTerminal(project.root);
    expect(await run(["build", "--out", "file"], terminal)).toBe(1);
    expect(terminal.stderr().replaceAll(project.root, "…")).toMatchInlineSnapshot(`
      "error  \`…/file\` cannot be created: file already exists (EEXIST).
      hint   A file with this name already exists. Remove it, or choose another name.
      "
    `);
  });

  it("unlike a bug in the program, which keeps its stack", () => {
    expect(report(new TypeError("x is not a function"))).toMatch(
      /^error {2}This is a bug in Tenon, not in your project\. Please report it\.\nTypeError: x is not a function\n {4}at /,
    );
  });
});

describe("writing several files of which one fails", () => {
  it("leaves the others unchanged, without temporary files", () => {
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

  it("leaves the others unchanged if a folder has the name of one", () => {
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

describe("files with the encodings of Windows editors", () => {
  const saveForWindows = (path: string): void => {
    const text = readFileSync(join(project.root, path), "utf8").replaceAll("\n", "\r\n");
    writeFileSync(join(project.root, path), `\uFEFF${text}`);
  };

  it("are read like any others, and keep their encoding when changed", async () => {
    const settings = {
      name: "sample",
      version: "1.0.0",
      type: "module",
      description: "Says hello.",
      repository: "github:ada/sample",
    };
    project.write({ "package.json": `${JSON.stringify(settings, null, 2)}\n` });
    expect(await run(["check", "--update"], recordingTerminal(project.root))).toBe(0);
    for (const path of ["package.json", "tsconfig.json", "tenon.contract.json", "src/greeter.ts"])
      saveForWindows(path);
    for (const [words, shown] of [
      ["check", "No change that a client can see."],
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
  "a package.json of %j is rejected early, with the reason Node would give later",
  async (text) => {
    const terminal = recordingTerminal(project.root);
    project.write({ "package.json": text });
    expect(await run(["inspect"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("config-unreadable\n  package.json: ");
  },
);

it("a long message wraps at the terminal's width, and stays on one line for programs", () => {
  const failure = new Failure(
    "package.json lacks information that the targets require:\n" +
      "  - package.json has no author, which a bundle must name.\n    Add it.",
    { hint: "Every one of these is asked for once, and kept." },
  );
  const print = (canRedraw: boolean): string => {
    const terminal = recordingTerminal(project.root);
    Object.assign(terminal.err, { columns: 40, canRedraw });
    reportFailure(failure, terminal);
    return terminal.stderr();
  };
  expect(print(false)).toBe(`error  ${failure.message}\nhint   ${failure.hint}\n`);
  expect(print(true)).toMatchInlineSnapshot(`
    "error  package.json lacks information
           that the targets require:
      - package.json has no author, which a
        bundle must name.
        Add it.
    hint   Every one of these is asked for
           once, and kept.
    "
  `);
});
