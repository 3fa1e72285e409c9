/**
 * The launch configurations of a new project: the programs that they start exist, and a breakpoint in a source file
 * pauses the server.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
// Internal: the templates that `create` copies.
import { findTemplates } from "../../packages/cli/src/create/templates.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const templates = join(import.meta.dirname, "../../templates");
const GREETER = readFileSync(join(templates, "minimal/src/greeter.ts"), "utf8");

interface LaunchConfiguration {
  name: string;
  request: "launch" | "attach";
  program?: string;
  args?: string[];
  outFiles?: string[];
  preLaunchTask?: string;
}

const { configurations } = JSON.parse(readFileSync(join(templates, "_base/.vscode/launch.json"), "utf8")) as {
  configurations: LaunchConfiguration[];
};

/**
 * Sets one breakpoint, prints where the server paused, and lets it continue. Node 20 has `WebSocket` only with a flag, so
 * the debugger is a separate program.
 */
const DEBUGGER = `
  const [address, url, line] = process.argv.slice(2);
  const socket = new WebSocket(address);
  const send = (id, method, params = {}) => socket.send(JSON.stringify({ id, method, params }));
  socket.onopen = () => {
    send(1, "Debugger.enable");
    send(2, "Debugger.setBreakpointByUrl", { url, lineNumber: Number(line) });
  };
  socket.onmessage = ({ data }) => {
    const { id, method, params } = JSON.parse(data);
    if (id === 2) console.log("ready");
    if (method !== "Debugger.paused") return;
    console.log(JSON.stringify(params.callFrames[0].location));
    send(3, "Debugger.resume");
  };
`;

describe("the launch configurations of a new project", () => {
  let project: ProjectFolder;
  beforeAll(async () => {
    project = projectFolder({ "src/greeter.ts": GREETER, "debugger.mjs": DEBUGGER });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  });
  afterAll(() => project.remove());

  const inProject = (path: string): string => path.replace("${workspaceFolder}/", "");

  it.each(configurations.filter(({ request }) => request === "launch"))(
    "start a program that exists: $name",
    ({ program = "" }) => {
      expect(existsSync(join(project.root, inProject(program)))).toBe(true);
    },
  );

  it("run scripts that every template has, before they start", () => {
    const tasks = configurations.flatMap(({ preLaunchTask }) => preLaunchTask?.replace("npm: ", "") ?? []);
    expect(tasks).toEqual(["build"]);
    for (const { name, folder } of findTemplates()) {
      const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        scripts: object;
      };
      expect(scripts, name).toMatchObject(
        Object.fromEntries(tasks.map((name) => [name, expect.any(String)])),
      );
    }
  });

  it("are the ones that the guide shows", () => {
    const page = readFileSync(join(templates, "../packages/docs/guide/debugging.md"), "utf8");
    const [, json = "{}"] = /```json\n([^]*?"configurations"[^]*?)```/.exec(page) ?? [];
    const shown = JSON.parse(json) as { configurations: LaunchConfiguration[] };
    expect(configurations).toEqual(expect.arrayContaining(shown.configurations));
    for (const { name } of configurations) expect(page).toContain(`| ${name}`);
  });

  it("find the files that tenon build and tenon dev write", () => {
    const globs = configurations.flatMap(({ outFiles = [] }) => outFiles.map(inProject));
    expect(new Set(globs)).toEqual(new Set(["dist/**/*.js", ".tenon/dev/**/*.js"]));
    expect(existsSync(join(project.root, "dist/app.js.map"))).toBe(true);
  });

  it("pause the built server at a line of the author's file", async () => {
    const app = join(project.root, "dist/app.js");
    const lineInSource = GREETER.split("\n").findIndex((line) => line.includes("return `${greetings"));
    const map = new SourceMap(JSON.parse(readFileSync(`${app}.map`, "utf8")) as never);
    const generated = readFileSync(app, "utf8").split("\n");
    const isBreakpoint = (_: string, line: number): boolean => {
      const entry = map.findEntry(line, 4) as { originalSource?: string; originalLine?: number };
      return entry.originalSource?.endsWith("greeter.ts") === true && entry.originalLine === lineInSource;
    };
    const line = generated.findIndex(isBreakpoint);
    expect(generated[line]).toContain("return `${greetings");

    const server = spawn(process.execPath, [
      "--inspect=127.0.0.1:0",
      join(project.root, "dist/server.js"),
      "--http",
      ...["--port", "0"],
    ]);
    onTestFinished(() => void server.kill("SIGKILL"));
    const started = createInterface(server.stderr)[Symbol.asyncIterator]();
    const debugAddress = await findInLines(started, /ws:\S+/);
    const serverUrl = await findInLines(started, /http:\S+\/mcp/);
    const attached = spawn(process.execPath, [
      ...["--experimental-websocket", "--no-warnings", join(project.root, "debugger.mjs")],
      ...[debugAddress, pathToFileURL(app).href, String(line)],
    ]);
    onTestFinished(() => void attached.kill());
    const output = createInterface(attached.stdout)[Symbol.asyncIterator]();
    await findInLines(output, /ready/);

    const terminal = recordingTerminal(project.root);
    expect(await run(["call", serverUrl, "greet", "name=Ada"], terminal), terminal.stderr()).toBe(0);
    const location = JSON.parse(await findInLines(output, /\{.*/)) as Location;
    const { originalSource, originalLine } = map.findEntry(
      location.lineNumber,
      location.columnNumber,
    ) as Entry;
    expect(relative(project.root, resolve(project.root, "dist", originalSource))).toBe(
      join("src", "greeter.ts"),
    );
    expect(originalLine).toBe(lineInSource);
    expect(terminal.stdout()).toContain("Hello, Ada!");
  });
});

/** Reads lines until one matches, and returns the match. */
async function findInLines(lines: AsyncIterator<string>, pattern: RegExp): Promise<string> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const match = pattern.exec(line.value)?.[0];
    if (match !== undefined) return match;
  }
  throw new Error(`The output ended without ${pattern}.`);
}

interface Location {
  lineNumber: number;
  columnNumber: number;
}

interface Entry {
  originalSource: string;
  originalLine: number;
}
