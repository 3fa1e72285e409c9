/** How servers come into the configuration of clients, and that nothing else in it is ever changed. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
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
import { programAddress } from "../../packages/cli/src/install/program-address.js";
import { isBuildFresh } from "../../packages/cli/src/project/built-files.js";
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
      expect((await install(name)).out).toContain("already");

      // Somebody sets more, and Node is somewhere else by the next time.
      const { key, format } = INSTALLABLE_CLIENTS.find((each) => each.name === name) ?? { key: "" };
      const known = (): Record<string, unknown> =>
        configured(format ?? "json", readFileSync(file, "utf8"), { key, server: "sample" }) as never;
      const moved = JSON.stringify(known())
        .replaceAll(JSON.stringify(process.execPath), '"/old/node"')
        .replaceAll('"node"', '"/old/node"')
        .replace('"KEY":"a=b"', '"KEY":"a=b","MORE":"m"');
      const byHand = {
        ...(JSON.parse(moved) as object),
        timeout: 7,
        alwaysAllow: ["say"],
        nested: { on: true },
      };
      writeFileSync(file, changedConfig(format ?? "json", text, { key, server: "sample", entry: byHand }));
      const updated = await install(name, "--env", "KEY=new");
      const told = /kept as it was: (.*)/
        .exec(updated.out)?.[1]
        ?.replace(/(?<=MORE in )\w+/, "env")
        .split(", ");
      expect(told).toEqual(expect.arrayContaining(["MORE in env", "alwaysAllow", "nested", "timeout"]));
      const kept = { ...known() };
      expect(kept).toMatchObject({ timeout: 7, alwaysAllow: ["say"], nested: { on: true } });
      expect(kept["env"] ?? kept["envs"] ?? kept["environment"]).toEqual({ KEY: "new", MORE: "m" });
      expect(JSON.stringify(kept)).not.toContain("/old/node");
      // Unless told otherwise.
      expect((await install(name, "--env", "KEY=a=b", "--force")).out).not.toContain("kept");
      expect(readFileSync(file, "utf8")).toBe(text);

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
      ours: fc.option(
        settings.map((known) => ({ ...known, args: ["a"], env: { A: "1" } })),
        { nil: undefined },
      ),
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
        ({ top, servers, ours }, format, adds) => {
          const change = {
            key: "servers",
            server: "ours",
            entry: adds ? { command: "node", args: ["a b"] } : undefined,
          };
          // Throws where anything else would be changed.
          const text = changedConfig(
            format,
            WRITERS[format]({ ...top, servers: { ...servers, ...(ours && { ours }) } }),
            change,
          );
          expect(configured(format, text, change)).toEqual(change.entry);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("with a server that is known already keeps the comments in it", async () => {
    const script = join(project.root, "dist/server.js");
    const entry = (node: string): string =>
      `{ "mcpServers": { "sample": {\n  "args": ["--env-file=.env", ${JSON.stringify(script)}],\n  "command": "${node}", // mine\n  "env": { "KEY": "k" /* of Ada */ },\n  "disabled": false\n} } }\n`;
    const file = write(".cursor/mcp.json", entry("/old/node"));
    const { code, out } = await install("cursor");
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "✓ Cursor has sample now. Switch it on in the settings, under MCP.
        kept as it was: args, KEY in env, disabled
        <project>/home/.cursor/mcp.json
        as it was before: <project>/home/.cursor/mcp.json.before-tenon
      ",
      }
    `);
    expect(readFileSync(file, "utf8")).toBe(entry(process.execPath));
    // One of a folder whose name begins alike is another.
    write(".cursor/mcp.json", entry("node").replace("/dist/", "-2/dist/"));
    expect((await install("cursor")).err).toContain("another server");
  });

  test("with a server at an address keeps the headers for that address alone", async () => {
    const header = ["--header", "Authorization: Bearer secret"];
    await install("cursor", "--url", "https://a.example/mcp", ...header);
    const again = await install("cursor", "--url", "https://a.example/mcp", "--header", "X-Team: a");
    expect(again.out).toContain("kept as it was: Authorization in headers\n");
    expect(again.out).not.toContain("secret");
    const elsewhere = ["cursor", "--url", "https://b.example/mcp"];
    expect((await install(...elsewhere)).err).toContain("another server");
    await install(...elsewhere, "--force");
    expect(readFileSync(join(home, ".cursor/mcp.json"), "utf8")).not.toContain("secret");
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

/** A program that is a server if it finds its key, and tells nothing of how it was made. */
const PUBLISHED = `
if (process.env.KEY === undefined) { console.error("KEY is missing"); process.exit(3); }
const tool = { name: "audit", inputSchema: { type: "object" } };
const answers = {
  initialize: {
    protocolVersion: "2025-06-18", capabilities: { tools: {} },
    serverInfo: { name: process.env.CALLED ?? "@ada/repo audit", version: "1.2.0" },
  },
  "tools/list": { tools: [tool] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  const error = { code: -32601, message: "No such method" };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }) + "\\n");
});
`;

describe("a server behind --", () => {
  const command = ["--", "node", "server.cjs", "--quiet"];
  beforeEach(() => project.write({ "server.cjs": PUBLISHED }));

  test("is asked for its name, and written as the client reads it, under paths that hold anywhere", async () => {
    const added = await install("cursor", "--env", "KEY=k", ...command);
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out.replaceAll(home, "~")).toMatchInlineSnapshot(`
      "✓ Cursor has ada-repo-audit now. Switch it on in the settings, under MCP.
        @ada/repo audit 1.2.0: 1 tool
        <project>/home/.cursor/mcp.json
      "
    `);
    const file = join(home, ".cursor/mcp.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: {
        "ada-repo-audit": {
          command: process.execPath,
          args: [join(project.root, "server.cjs"), "--quiet"],
          env: { KEY: "k" },
        },
      },
    });
    // Other variables for the same server need no --force; another server does.
    expect((await install("cursor", "--env", "KEY=other", ...command)).code).toBe(0);
    expect((await install("cursor", "--env", "KEY=k", ...command.slice(0, -1))).err).toContain(
      "another server",
    );
  });

  test("needs no project, and no answer to be taken out by its name", async () => {
    rmSync(join(project.root, "package.json"));
    const { out, err } = await install("--env", "KEY=k", "--name", "audit", ...command);
    expect(JSON.parse(out)).toEqual({
      mcpServers: {
        audit: {
          type: "stdio",
          command: "node",
          args: ["<project>/server.cjs", "--quiet"],
          env: { KEY: "k" },
        },
      },
    });
    expect(err).toContain("`tenon install <client> -- …` writes it for you");
    const file = write(".cursor/mcp.json", '{ "mcpServers": { "audit": { "command": "node" } } }');
    expect((await install("cursor", "--name", "audit", "--remove", "--", "no-such-program")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("audit");
  });

  test.each([
    ["does not answer", ["cursor", ...command]],
    ["is none", ["cursor", "--", "no-such-program-anywhere"]],
    ["has no name that clients take", ["cursor", "--env", "KEY=k", "--env", "CALLED=天気", ...command]],
    ["is beside an address", ["cursor", "--url", "https://a.example/mcp", ...command]],
    ["is beside too many words", ["cursor", ".", "more", ...command]],
    ["is sent headers", ["cursor", "--header", "A: 1", ...command]],
  ])("that %s is not written", async (_name, args) => {
    const { code, err } = await install(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatchSnapshot();
    expect(existsSync(join(home, ".cursor"))).toBe(false);
  });

  test("with a name that is made for no terminal", async () => {
    const { out } = await install("cursor", "--env", "KEY=k", "CALLED=a\u001b[2Jb", ...command);
    expect(out).toContain("has a-2Jb now");
    expect(out).not.toContain("\u001b");
  });

  test.each<[string, object, string[], string[]]>([
    ["a package beside a folder of its name", {}, ["npx", "--yes", "src"], ["npx", "--yes", "src"]],
    ["a folder", {}, ["npx", "fs", "."], ["npx", "fs", "<project>"]],
    ["a program", {}, ["./run.sh", "in/none"], ["<project>/run.sh", "in/none"]],
    ["node of a graphical client", { client: "cursor" }, ["node", "run.sh"], ["<node>", "<project>/run.sh"]],
    ["shared", { scope: "project", client: "cursor" }, ["node", "./run.sh"], ["node", "./run.sh"]],
    [
      "shared with VS Code",
      { scope: "project", client: "vscode" },
      ["node", "./run.sh", "a.json"],
      ["node", "${workspaceFolder}/run.sh", "a.json"],
    ],
  ])("has paths that hold: %s", (_name, given, words, written) => {
    project.write({ "src/a.ts": "", "run.sh": "" });
    const { client, scope = "user" } = given as { client?: string; scope?: "user" | "project" };
    const { command: program, args } = programAddress(words, {
      folder: project.root,
      scope,
      client: INSTALLABLE_CLIENTS.find(({ name }) => name === client),
      env: {},
    });
    const shown = [program, ...args].map((word) =>
      word.replace(project.root, "<project>").replace(process.execPath, "<node>"),
    );
    expect(shown).toEqual(written);
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
  renameSync(join(project.root, "src/a.ts"), join(project.root, "src/b.ts"));
  expect(isBuildFresh(project.root, join(project.root, "dist"))).toBe(false);
});
