import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect } from "@tenon/cli/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ChangeTools } from "../src/change-tools.js";
import { ReadTools } from "../src/read-tools.js";
import { Repositories } from "../src/repositories.js";

let root: string;
let work: string;
let server: Awaited<ReturnType<typeof connect>>;

/** Creates a repository with one commit. */
function makeRepository(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "config", "user.name", "Ada");
  git(folder, "config", "user.email", "ada@example.com");
  writeFileSync(join(folder, "tea.txt"), "Boil water.\nWait.\n");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "--message=Make tea");
  return folder;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" });
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "git-")));
  work = makeRepository("work");
  const repositories = new Repositories([work]);
  server = await connect(new URL("..", import.meta.url), {
    provide: [new ReadTools(repositories), new ChangeTools(repositories)],
  });
});
afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

test("the server shows changes, and commits them on a branch", async () => {
  const { tools } = server;
  await tools.git_create_branch({ branch_name: "topic" });
  await tools.git_checkout({ branch_name: "topic" });
  writeFileSync(join(work, "tea.txt"), "Boil water.\nWait three minutes.\n");
  writeFileSync(join(work, "Ümlaut and space.txt"), "");
  expect(await tools.git_status({})).toEqual({
    branch: "topic",
    staged: [],
    unstaged: [{ path: "tea.txt", change: "modified" }],
    untracked: ["Ümlaut and space.txt"],
    conflicts: [],
  });
  expect(await tools.git_diff_unstaged({ context_lines: 0 })).toContain("-Wait.\n+Wait three minutes.\n");
  await tools.git_add({ files: ["."] });
  expect(await tools.git_diff_staged({})).toContain("+Wait three minutes.");
  await tools.git_reset({});
  const { staged } = await tools.git_add({ files: ["tea.txt"] });
  expect(staged).toEqual([{ path: "tea.txt", change: "modified" }]);
  const commit = await tools.git_commit({ message: "Wait longer\n\nIt was too weak." });
  expect(commit).toMatchObject({
    author: "Ada <ada@example.com>",
    message: "Wait longer\n\nIt was too weak.",
  });
  expect((await tools.git_log({})).map(({ message }) => message.split("\n")[0])).toEqual([
    "Wait longer",
    "Make tea",
  ]);
  expect(await tools.git_log({ end_timestamp: new Date(0) })).toEqual([]);
  expect(await tools.git_show({ revision: "HEAD" })).toContain("+Wait three minutes.");
  expect(await tools.git_diff({ target: "main..topic" })).toContain("+Wait three minutes.");
  expect(await tools.git_branch({ contains: commit.hash })).toEqual([
    { name: "topic", hash: commit.hash, isCurrent: true },
  ]);
  expect(await tools.git_branch({ branch_type: "all", not_contains: "topic" })).toMatchObject([
    { name: "main" },
  ]);
});

test("the server reports failures with git's message", async () => {
  const { tools } = server;
  await expect(tools.git_commit({ message: "Nothing" })).rejects.toThrow("nothing to commit");
  await expect(tools.git_show({ revision: "nowhere" })).rejects.toThrow("There is no commit nowhere.");
  await expect(tools.git_checkout({ branch_name: "tea.txt" })).rejects.toThrow("There is no branch tea.txt.");
  await expect(tools.git_create_branch({ branch_name: "a..b" })).rejects.toThrow("not a valid branch name");
});

describe("the server treats no argument as an option or a command", () => {
  const outputs = [
    "--output=OUT",
    "--upload-pack=touch OUT",
    "-OOUT",
    "--exec=touch OUT",
    "$(touch OUT)",
    "; touch OUT",
  ];
  test.each(outputs)("%s", async (text) => {
    const { tools } = server;
    const out = join(root, "out");
    const sent = text.replace("OUT", out);
    await expect(tools.git_diff({ target: sent })).rejects.toThrow();
    await expect(tools.git_diff({ target: `main..${sent}` })).rejects.toThrow();
    await expect(tools.git_show({ revision: sent })).rejects.toThrow();
    await expect(tools.git_branch({ contains: sent })).rejects.toThrow();
    await expect(tools.git_checkout({ branch_name: sent })).rejects.toThrow();
    await expect(tools.git_create_branch({ branch_name: "new", base_branch: sent })).rejects.toThrow();
    await expect(tools.git_create_branch({ branch_name: sent })).rejects.toThrow();
    await expect(tools.git_add({ files: [sent] })).rejects.toThrow("did not match any files");
    await expect(tools.git_status({ repo_path: sent })).rejects.toThrow("is not a repository in");
    writeFileSync(join(work, "tea.txt"), "Anything.\n");
    await tools.git_add({ files: ["tea.txt"] });
    expect((await tools.git_commit({ message: sent })).message).toBe(sent);
    expect(existsSync(out)).toBe(false);
  });
});

test("the server runs no program that a repository configures", async () => {
  const { tools } = server;
  const out = join(root, "out");
  git(work, "config", "diff.external", `touch ${out}`);
  git(work, "config", "core.fsmonitor", `touch ${out};`);
  git(work, "config", "core.pager", `touch ${out}`);
  writeFileSync(join(work, "tea.txt"), "Anything.\n");
  await tools.git_status({});
  await tools.git_diff_unstaged({});
  await tools.git_show({ revision: "HEAD" });
  await tools.git_log({});
  expect(existsSync(out)).toBe(false);
});

test("the server stays in its repositories", async () => {
  const { tools } = server;
  const other = makeRepository("work-of-others");
  symlinkSync(other, join(work, "link"));
  mkdirSync(join(work, "moved"));
  writeFileSync(join(work, "moved/.git"), `gitdir: ${join(other, ".git")}\n`);
  for (const repo_path of [other, `${work}/../work-of-others`, "link", "moved", "/"].map((path) =>
    path.startsWith("/") ? path : join(work, path),
  )) {
    await expect(tools.git_log({ repo_path })).rejects.toThrow("is not a repository in");
  }
  for (const file of [join(other, "tea.txt"), "../work-of-others/tea.txt", "link/tea.txt"]) {
    await expect(tools.git_add({ files: [file] })).rejects.toThrow(
      /outside repository|beyond a symbolic link/,
    );
  }
  expect(await tools.git_log({ repo_path: join(work, ".") })).toHaveLength(1);
});

test("the server works with the official client", async () => {
  const client = new Client({ name: "check", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const args = [join(import.meta.dirname, "../dist/server.js")];
  const env = { GIT_REPOSITORIES: work, PATH: process.env["PATH"] ?? "" };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  expect((await client.listTools()).tools).toHaveLength(13);
  const { structuredContent } = await client.callTool({ name: "git_log", arguments: { max_count: 1 } });
  expect(structuredContent).toMatchObject([{ message: "Make tea" }]);
  await client.close();
});
