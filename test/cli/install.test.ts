/** How servers come into the configuration of clients, and that nothing else in it is ever changed. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { run } from "@tenon/cli";
import * as fc from "fast-check";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stringify as stringifyYaml } from "yaml";
import { INSTALLABLE_CLIENTS, type Surroundings } from "../../packages/cli/src/install/client-config.js";
import { changedConfig, configured } from "../../packages/cli/src/install/config-text.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
let home: string;

beforeEach(() => {
  project = projectFolder({ "dist/server.js": "", "home/.keep": "" });
  home = join(project.root, "home");
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  for (const name of ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

async function install(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["install", ...args], terminal);
  const clean = (text: string): string =>
    text.replaceAll(project.root, "<project>").replaceAll(process.execPath, "<node>");
  return { code, out: clean(terminal.stdout()), err: clean(terminal.stderr()) };
}

function write(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe("each client", () => {
  test.each(INSTALLABLE_CLIENTS.map(({ name }) => name))(
    "%s gets a server, and loses it again",
    async (name) => {
      const added = await install(name, "--env", "KEY=a=b");
      expect(added).toMatchObject({ code: 0, err: "" });
      const file = /^ {2}(\S+)$/m.exec(added.out)?.[1]?.replace("<project>", project.root) ?? "";
      const text = readFileSync(file, "utf8");
      await expect(
        `${added.out}\n${text}`.replaceAll(project.root, "<project>").replaceAll(process.execPath, "<node>"),
      ).toMatchFileSnapshot(`install/${name}.txt`);
      expect((await install(name, "--env", "KEY=a=b")).out).toContain("already");
      expect((await install(name, "--remove")).code).toBe(0);
      expect(readFileSync(file, "utf8")).not.toContain("sample");
      expect((await install(name, "--remove")).out).toContain("has no sample");
    },
  );

  test("has its files where it looks for them", () => {
    const places = (platform: NodeJS.Platform): object => {
      const surroundings: Surroundings = { platform, home: "~", env: { APPDATA: "%APPDATA%" }, folder: "." };
      return Object.fromEntries(
        INSTALLABLE_CLIENTS.map((client) => [
          client.name,
          [client.file("user", surroundings), client.file("project", surroundings)],
        ]),
      );
    };
    expect({ darwin: places("darwin"), win32: places("win32"), linux: places("linux") }).toMatchSnapshot();
  });

  test("that takes no address says where it is to be told", async () => {
    const { code, err } = await install("claude-desktop", "--url", "https://mcp.example.com/mcp");
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "error  Claude Desktop takes the address of a server in its settings alone.
      hint   Add https://mcp.example.com/mcp there, under Connectors.
      "
    `);
  });

  test("that is shared with others has no path of this machine", async () => {
    await install("vscode", "--scope", "project");
    const text = readFileSync(join(project.root, ".vscode/mcp.json"), "utf8");
    expect(JSON.parse(text)).toEqual({
      servers: { sample: { type: "stdio", command: "node", args: ["${workspaceFolder}/dist/server.js"] } },
    });
  });

  test("by an address", async () => {
    const urls = await Promise.all(
      ["cursor", "codex", "goose", "gemini"].map(
        async (name) => (await install(name, "--url", "https://a.example/mcp", "--print")).out,
      ),
    );
    expect(urls.join("\n")).toMatchSnapshot();
  });
});

describe("an address with headers", () => {
  test.each(INSTALLABLE_CLIENTS.map(({ name }) => name).filter((name) => name !== "claude-desktop"))(
    "is written as %s reads it",
    async (name) => {
      const added = await install(name, "--url", "https://a.example/mcp", "--header", "X-API-Key: k: v");
      expect(added).toMatchObject({ code: 0, err: "" });
      const file = /^ {2}(\S+)$/m.exec(added.out)?.[1]?.replace("<project>", project.root) ?? "";
      await expect(readFileSync(file, "utf8")).toMatchFileSnapshot(`install/${name}-url.txt`);
    },
  );
});

test("takes headers one by one, wherever they stand", async () => {
  const headers = ["--header", "A: 1", "--header", "B: 2"];
  const { out } = await install("--url", "https://a.example/mcp", ...headers, "cursor", "--print");
  expect(JSON.parse(out.slice(out.indexOf("{")))).toMatchObject({
    mcpServers: { sample: { headers: { A: "1", B: "2" } } },
  });
});

describe("an existing configuration", () => {
  test("keeps its comments, its order, its rights and its link", async () => {
    const text =
      '{\n\t// mine\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": { "command": "x", }, // keep\n\t},\n}\n';
    const real = write("dotfiles/cursor.json", text);
    chmodSync(real, 0o640);
    mkdirSync(join(home, ".cursor"));
    symlinkSync(real, join(home, ".cursor/mcp.json"));
    expect((await install("cursor")).code).toBe(0);
    const changed = readFileSync(real, "utf8");
    for (const part of ["// mine", "// keep", '"theme": "dark"', '"sample"']) expect(changed).toContain(part);
    expect(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${real}.before-tenon`, "utf8")).toBe(text);
  });

  test.each([
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", '{ "mcpServers": { '],
    ["cursor", ".cursor/mcp.json", '["a"]'],
    ["cursor", ".cursor/mcp.json", '{ "mcpServers": 3 }'],
    ["codex", ".codex/config.toml", "model = "],
    ["goose", ".config/goose/config.yaml", "extensions: [\n"],
  ])("of %s that cannot be read is left alone: %#", async (name, path, text) => {
    const file = write(path, text);
    const { code, err } = await install(name);
    expect(code).toBe(1);
    expect(err).toContain("cannot be read");
    expect(err).not.toContain("mistake in Tenon");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.before-tenon`)).toBe(false);
  });

  test("with another server of the same name is asked about first", async () => {
    const file = write(".cursor/mcp.json", '{ "mcpServers": { "sample": { "command": "other" } } }');
    const { code, err } = await install("cursor");
    expect(code).toBe(1);
    expect(err.replaceAll(home, "~")).toMatchInlineSnapshot(`
      "error  Cursor has another server of the name sample, in <project>/home/.cursor/mcp.json.
      hint   Choose another name by --name, or replace it by --force.
      "
    `);
    expect((await install("cursor", "--force")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("other");
  });

  test("is not written by --print", async () => {
    const { out } = await install("gemini", "--print", "--name", "mine");
    expect(out).toContain('"mine"');
    expect(existsSync(join(home, ".gemini"))).toBe(false);
  });

  test("says the same afterwards, but for what was asked, whatever it holds", () => {
    const settings = fc.dictionary(
      fc.stringMatching(/^[a-z_][\w. -]{0,8}$/),
      fc.oneof(fc.string(), fc.integer({ min: -1e9, max: 1e9 }), fc.boolean(), fc.array(fc.string())),
    );
    const config = fc.record({
      top: settings,
      servers: fc.dictionary(fc.stringMatching(/^[\w-]{1,8}$/), settings),
    });
    const WRITERS = {
      json: (value: object) => JSON.stringify(value, null, 4),
      toml: (value: object) => stringifyToml(value),
      yaml: (value: object) => stringifyYaml(value),
    };
    fc.assert(
      fc.property(
        config,
        fc.constantFrom("json", "toml", "yaml"),
        fc.boolean(),
        ({ top, servers }, format, adds) => {
          const change = {
            key: "servers",
            server: "ours",
            entry: adds ? { command: "node", args: ["a b"] } : undefined,
          };
          // Throws where anything else would be changed.
          const text = changedConfig(format, WRITERS[format]({ ...top, servers }), change);
          expect(configured(format, text, change)).toEqual(change.entry);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("in TOML loses only the tables of that server", () => {
    const text = `# top
model = "x"

[mcp_servers.ours] # old
command = "old"
[mcp_servers.ours.env]
A = "1"
# a word on the next one
[mcp_servers.ours-too]
command = "other"
`;
    const changed = changedConfig("toml", text, {
      key: "mcp_servers",
      server: "ours",
      entry: { command: "new" },
    });
    expect(parseToml(changed)).toEqual({
      model: "x",
      mcp_servers: { ours: { command: "new" }, "ours-too": { command: "other" } },
    });
    expect(changed).toContain("# a word on the next one");
  });
});

describe("what cannot be", () => {
  test.each([
    [["clod-code"]],
    [["goose", "--scope", "project"]],
    [["cursor", "--env", "KEY"]],
    [["cursor", "--url", "nowhere"]],
    [["cursor", "nothing-here"]],
    [["cursor", "--header", "X-API-Key: k"]],
    [["cursor", "--url", "https://a.example/mcp", "--header", "Bearer secret"]],
  ])("%j", async (args) => {
    const { code, err } = await install(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatchSnapshot();
  });

  test("no client: what most of them take", async () => {
    const { out, err } = await install();
    expect(JSON.parse(out)).toMatchObject({ mcpServers: { sample: { command: "node" } } });
    expect(err).toMatchSnapshot();
  });
});

test("a server whose sources have changed is built again, and has the name that it has now", async () => {
  const tool = (name: string): string =>
    `import { Tool } from "@tenon/runtime";\nexport class A {\n  /** Says it. */\n  @Tool()\n  ${name}(): string {\n    return "";\n  }\n}\n`;
  project.write({
    "src/a.ts": tool("now"),
    "dist/.tenon-files.json": '{ "files": ["server.js", "tenon.manifest.json"] }',
    "dist/tenon.manifest.json": '{ "server": { "name": "before" } }',
  });
  const longAgo = new Date("2020-01-01");
  utimesSync(join(project.root, "dist/.tenon-files.json"), longAgo, longAgo);
  const first = await install("claude-code");
  expect(first.err).toBe("The sources have changed since dist/ was made. Building…\n");
  expect(first.out).toContain("Claude Code has sample now.");
  expect(readFileSync(join(project.root, "dist/tenon.manifest.json"), "utf8")).toContain('"now"');
  // Built once, it is fresh, though some of its files are as they were.
  expect((await install("claude-code")).err).toBe("");
});
