/** Servers are added to the configurations of clients, and nothing else in these changes. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
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
// Internal: configurations of clients that are not installed here.
import { INSTALLABLE_CLIENTS, type ConfigEnvironment } from "../../packages/cli/src/install/client-config.js";
import { changeConfig, findServer } from "../../packages/cli/src/install/config-text.js";
import { toProgramAddress } from "../../packages/cli/src/install/program-address.js";
import { isBuildFresh } from "../../packages/cli/src/project/built-files.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const ENVIRONMENT: ConfigEnvironment = { platform: "linux", home: "~", env: {}, folder: "." };

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

describe("the configuration of a client", () => {
  test.each(INSTALLABLE_CLIENTS.map(({ name }) => name))(
    "gains a server, and loses it again: %s",
    async (name) => {
      const added = await install(name, "--env", "MODE=a=b");
      expect(added).toMatchObject({ code: 0, err: "" });
      const file = /^ {2}(\S+)$/m.exec(added.out)?.[1]?.replace("<project>", project.root) ?? "";
      const text = readFileSync(file, "utf8");
      await expect(
        `${added.out}\n${text}`.replaceAll(project.root, "<project>").replaceAll(process.execPath, "<node>"),
      ).toMatchFileSnapshot(`install/${name}.txt`);
      expect((await install(name, "--env", "MODE=a=b")).out).toContain("already");
      expect((await install(name)).out).toContain("already");

      // The user adds settings, and Node.js has moved before the next installation.
      const { key, format } = INSTALLABLE_CLIENTS.find((each) => each.name === name) ?? { key: "" };
      const findEntry = (): Record<string, unknown> =>
        findServer(
          { format: format ?? "json", file, text: readFileSync(file, "utf8") },
          { key, server: "sample" },
        ) as never;
      const moved = JSON.stringify(findEntry())
        .replaceAll(JSON.stringify(process.execPath), '"/old/node"')
        .replaceAll('"node"', '"/old/node"')
        .replace('"MODE":"a=b"', '"MODE":"a=b","MORE":"m"');
      const byHand = {
        ...(JSON.parse(moved) as object),
        timeout: 7,
        alwaysAllow: ["say"],
        nested: { on: true },
      };
      writeFileSync(
        file,
        changeConfig({ format: format ?? "json", file, text }, { key, server: "sample", entry: byHand }),
      );
      const updated = await install(name, "--env", "MODE=new");
      const names = /kept your settings: (.*)/
        .exec(updated.out)?.[1]
        ?.replace(/(?<=MORE in )\w+/, "env")
        .split(", ");
      expect(names).toEqual(expect.arrayContaining(["MORE in env", "alwaysAllow", "nested", "timeout"]));
      const entry = { ...findEntry() };
      expect(entry).toMatchObject({ timeout: 7, alwaysAllow: ["say"], nested: { on: true } });
      expect(entry["env"] ?? entry["envs"] ?? entry["environment"]).toEqual({ MODE: "new", MORE: "m" });
      expect(JSON.stringify(entry)).not.toContain("/old/node");
      // With --force, the settings are replaced.
      expect((await install(name, "--env", "MODE=a=b", "--force")).out).not.toContain("kept");
      expect(readFileSync(file, "utf8")).toBe(text);

      expect((await install(name, "--remove")).code).toBe(0);
      expect(readFileSync(file, "utf8")).not.toContain("sample");
      expect((await install(name, "--remove")).out).toContain("has no server sample");
    },
  );

  test("is at the path that the client reads", () => {
    const places = (platform: NodeJS.Platform): object => {
      const surroundings: ConfigEnvironment = {
        platform,
        home: "~",
        env: { APPDATA: "%APPDATA%" },
        folder: ".",
      };
      return Object.fromEntries(
        INSTALLABLE_CLIENTS.map((client) => [
          client.name,
          [client.file("user", surroundings), client.file("project", surroundings)],
        ]),
      );
    };
    expect({ darwin: places("darwin"), win32: places("win32"), linux: places("linux") }).toMatchSnapshot();
  });

  test("without support for URLs is not written, and the error names where to enter one", async () => {
    const { code, err } = await install("claude-desktop", "--url", "https://mcp.example.com/mcp");
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "error  Claude Desktop accepts URLs only in its settings.
      hint   Add https://mcp.example.com/mcp there, under Connectors.
      "
    `);
  });

  test("contains no path of this machine if it is shared with others", async () => {
    await install("vscode", "--scope", "project");
    const text = readFileSync(join(project.root, ".vscode/mcp.json"), "utf8");
    expect(JSON.parse(text)).toEqual({
      servers: { sample: { type: "stdio", command: "node", args: ["${workspaceFolder}/dist/server.js"] } },
    });
  });

  test("accepts a URL", async () => {
    const urls = await Promise.all(
      ["cursor", "codex", "goose", "gemini"].map(
        async (name) => (await install(name, "--url", "https://a.example/mcp", "--print")).out,
      ),
    );
    expect(urls.join("\n")).toMatchSnapshot();
  });
});

describe("a URL with headers", () => {
  test.each(INSTALLABLE_CLIENTS.map(({ name }) => name).filter((name) => name !== "claude-desktop"))(
    "is written in the format of %s",
    async (name) => {
      const added = await install(name, "--url", "https://a.example/mcp", "--header", "X-API-Key: k: v");
      expect(added).toMatchObject({ code: 0, err: "" });
      const file = /^ {2}(\S+)$/m.exec(added.out)?.[1]?.replace("<project>", project.root) ?? "";
      await expect(readFileSync(file, "utf8")).toMatchFileSnapshot(`install/${name}-url.txt`);
    },
  );
});

test.each([
  [["--name", ""], "The value of --name is empty."],
  [["--name", "my weather"], "Some clients reject the name `my weather`."],
  [["--remove", "--env", "REGION=eu"], "--env has no effect with --remove."],
  [["--remove", "--force"], "--force has no effect with --remove."],
])("is a usage error: %j", async (args, message) => {
  const { code, err } = await install("cursor", ...args);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

describe("a secret", () => {
  const referring = INSTALLABLE_CLIENTS.filter(({ reference }) => reference !== undefined);
  const others = INSTALLABLE_CLIENTS.filter((client) => !referring.includes(client));
  const shared = referring.filter(({ file }) => file("project", ENVIRONMENT) !== undefined);

  test.each(shared.map(({ name }) => name))("is not written to a file of the project: %s", async (name) => {
    const scope = ["--scope", "project"];
    const added = await install(name, "--env", "API_KEY=hunter2", "--env", "MODE=fast", ...scope);
    expect(added).toMatchObject({ code: 0, err: "" });
    const file = /^ {2}(\S+)$/m.exec(added.out)?.[1]?.replace("<project>", project.root) ?? "";
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("hunter2");
    await expect(`${added.out}\n${text}`.replaceAll(project.root, "<project>")).toMatchFileSnapshot(
      `install/${name}-secret.txt`,
    );
    // The previous file may have contained secrets, and a copy of it would be committed.
    const authorization = ["--header", "Authorization: Bearer hunter2", "--header", "X-Region: eu"];
    const changed = await install(
      name,
      "--url",
      "https://a.example/mcp",
      ...authorization,
      ...scope,
      "--force",
    );
    expect(changed).toMatchObject({ code: 0, err: "" });
    const withUrl = readFileSync(file, "utf8");
    expect(withUrl).not.toContain("hunter2");
    await expect(withUrl).toMatchFileSnapshot(`install/${name}-secret-url.txt`);
    expect(existsSync(`${file}.before-tenon`)).toBe(false);
    // Without the URL, the entry may be of any server.
    expect((await install(name, "--remove", ...scope)).err).toContain("To remove it anyway");
    const url = ["--url", "https://a.example/mcp"];
    expect((await install(name, "--remove", ...url, ...scope)).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("API_KEY");
  });

  test("is not written to a file of a client that cannot refer to environment variables", async () => {
    const args = ["--env", "API_KEY=hunter2", "--scope", "project"];
    expect(await install("zed", ...args)).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error  API_KEY would be in plain text in a file of the project, because Zed cannot refer to environment variables.
      hint   Omit --scope project, or set API_KEY in the environment of Zed.
      ",
        "out": "",
      }
    `);
    expect(existsSync(join(project.root, ".zed"))).toBe(false);
  });

  test.each(others.map(({ name }) => name))("needs a value in the configuration of %s", async (name) => {
    const { code, err } = await install(name, "--env", "API_KEY");
    expect(code).toBe(2);
    expect(err).toContain("cannot refer to environment variables.\nhint   Pass the value of API_KEY.");
  });

  test.each([
    ["API_KEY", "tenon"],
    ["region", "sk-0123456789abcdef0123"],
    ["endpoint", "https://ada:hunter2@db.example"],
  ])("is recognized by its name or value: %s=%s", async (name, value) => {
    const { out } = await install("cursor", "--env", `${name}=${value}`, "--scope", "project", "--print");
    expect(out).toContain(`"${name}": "\${env:${name}}"`);
    expect(out).not.toContain(value);
  });

  test.each([
    ["cursor", "X-API-Key: ${KEY}", '"X-API-Key": "${env:KEY}"'],
    ["claude-code", "Authorization: Bearer ${TOKEN}", '"Authorization": "Bearer ${TOKEN}"'],
    ["codex", "Authorization: Bearer ${TOKEN}", 'bearer_token_env_var = "TOKEN"'],
    ["codex", "Authorization: ${TOKEN}", 'Authorization = "TOKEN"'],
  ])("can be a variable that the user names: %s, %s", async (name, header, expected) => {
    const { out } = await install(name, "--url", "https://a.example/mcp", "--header", header, "--print");
    expect(out).toContain(expected);
  });

  test.each(["--token hunter2", "--pass=hunter2", "--subscription-key hunter2", "--auth ada:hunter2"])(
    "is rejected as the value of an option, before the server is started: %s",
    async (option) => {
      const { code, err } = await install(
        "cursor",
        "--scope",
        "project",
        "--",
        "npx",
        "no-such-server",
        ...option.split(" "),
      );
      expect(code).toBe(2);
      expect(err).toContain("The command or URL contains a secret");
    },
  );

  test("has a separate variable in each header", async () => {
    const headers = [
      "Authorization: Bearer abcdefgh1",
      "X-Custom: Bearer abcdefgh2",
      "X-Functions-Key: abcdefgh3",
      "X-Session: abcdefgh4",
      "X-Custom-Two: 4b7Kabcdefgh5Qw81zRt",
    ];
    const { out } = await install(
      "cursor",
      "--url",
      "https://a.example/mcp",
      ...headers.flatMap((header) => ["--header", header]),
      "--scope",
      "project",
      "--print",
    );
    expect(out).not.toContain("abcdefgh");
    const variables = [...out.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(variables).size).toBe(5);
  });

  test.each([
    ["--url", "https://a.example/mcp?api_key=hunter2hunter2"],
    ["--url", "https://ada:hunter2@a.example/mcp"],
    ["--url", "https://a.example/mcp?code=hunter2"],
    ["--url", "https://hooks.example.com/services/T1/B2/hunter2"],
    ["--url", "https://a.example/s/9f8e7d6c5b4a39281706/mcp"],
    ["--url", "https://a.example/s/aGVsbG8Td29ybGQgMTIz/mcp"],
    ["--url", "https://a.example/mcp?config=eyJrZXkiOiJodW50ZXIyIn0="],
  ])("is rejected in a part that cannot refer to it: %s %s", async (...address) => {
    const { code, err } = await install("cursor", "--scope", "project", ...address);
    expect({ code, err }).toEqual({
      code: 2,
      err: "error  The command or URL contains a secret, which a file in the project would reveal to anyone.\nhint   Pass it with --env or --header, or omit --scope project.\n",
    });
    expect(existsSync(join(project.root, ".cursor"))).toBe(false);
    expect((await install("cursor", ...address, "--print")).code).toBe(0);
  });

  test.each([
    "https://a.example/weather-service-2026-forecast/mcp",
    "https://a.example/projects/0b6c2f5e-8a51-4d6c-9d4b-6e8d2a1c7f30/mcp",
    "https://a.example/mcp?project=shop",
  ])("is not suspected in the harmless URL %s", async (url) => {
    const { code, out } = await install("cursor", "--scope", "project", "--url", url, "--print");
    expect({ code, hasUrl: out.includes(url) }).toEqual({ code: 0, hasUrl: true });
  });

  test("with text before it is rejected if the client cannot add the text", async () => {
    const header = ["--header", "Authorization: Basic ${TOKEN}"];
    expect(await install("codex", "--url", "https://a.example/mcp", ...header)).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error  Codex cannot put \`Basic\` before the variable in Authorization.
      hint   Store the whole value in the variable: --header 'Authorization: \${TOKEN}'.
      ",
        "out": "",
      }
    `);
  });

  test("is prompted for by VS Code, whose other prompts and comments stay", async () => {
    const text = `{
  // mine
  "inputs": [
    // keep
    { "type": "promptString", "id": "other", "description": "Other" },
  ],
  "servers": { "other": { "command": "x", "env": { "OTHER": "\${input:other}" } } }
}
`;
    const file = write(".config/Code/User/mcp.json", text);
    await install("vscode", "--env", "API_KEY=hunter2");
    const added = readFileSync(file, "utf8");
    const shown = added.replaceAll(project.root, "/project").replaceAll(process.execPath, "/usr/bin/node");
    expect(shown).toMatchInlineSnapshot(`
      "{
        // mine
        "inputs": [
          // keep
          { "type": "promptString", "id": "other", "description": "Other" },
          {
            "type": "promptString",
            "id": "sample_API_KEY",
            "description": "API_KEY of sample",
            "password": true
          },
        ],
        "servers": { "other": { "command": "x", "env": { "OTHER": "\${input:other}" } },
          "sample": {
            "type": "stdio",
            "command": "/usr/bin/node",
            "args": [
              "/project/dist/server.js"
            ],
            "env": {
              "API_KEY": "\${input:sample_API_KEY}"
            }
          } }
      }
      "
    `);
    const again = await install("vscode", "--env", "API_KEY=hunter3", "--env", "MODE=a");
    expect(again.code).toBe(0);
    expect(readFileSync(file, "utf8").match(/"sample_API_KEY"/g)).toHaveLength(1);
    await install("vscode", "--remove");
    const removed = readFileSync(file, "utf8");
    for (const part of ["// mine", "// keep", '"other"']) expect(removed).toContain(part);
    expect(removed).not.toContain("sample");
    expect(statSync(`${file}.before-tenon`).mode & 0o077).toBe(0);
  });
});

test("headers are parsed one by one, at any position on the command line", async () => {
  const headers = ["--header", "A: 1", "--header", "B: 2"];
  const { out } = await install("--url", "https://a.example/mcp", ...headers, "cursor", "--print");
  expect(JSON.parse(out.slice(out.indexOf("{")))).toMatchObject({
    mcpServers: { sample: { headers: { A: "1", B: "2" } } },
  });
});

describe("an existing configuration", () => {
  test("keeps its comments, order, permissions, and links", async () => {
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
    ["vscode", ".config/Code/User/mcp.json", '{ "inputs": 3 }'],
    ["codex", ".codex/config.toml", "model = "],
    ["goose", ".config/goose/config.yaml", "extensions: [\n"],
  ])("for %s that cannot be parsed is left unchanged: %#", async (name, path, text) => {
    const file = write(path, text);
    const { code, err } = await install(name);
    expect(code).toBe(1);
    expect(err).toContain("cannot be read");
    expect(err).not.toContain("mistake in Tenon");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.before-tenon`)).toBe(false);
  });

  test("with another server of the same name is changed only after confirmation", async () => {
    const file = write(".cursor/mcp.json", '{ "mcpServers": { "sample": { "command": "other" } } }');
    const { code, err } = await install("cursor");
    expect(code).toBe(1);
    expect(err.replaceAll(home, "~")).toMatchInlineSnapshot(`
      "error  Cursor has another server named sample in <project>/home/.cursor/mcp.json.
      hint   Choose another name with --name, or replace it with --force.
      "
    `);
    expect((await install("cursor", "--force")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("other");
  });

  test("is not written with --print", async () => {
    const { out } = await install("gemini", "--print", "--name", "mine");
    expect(out).toContain('"mine"');
    expect(existsSync(join(home, ".gemini"))).toBe(false);
  });

  test("may have a null list of prompts, and a server with the name of an object's method", async () => {
    const file = write(".config/Code/User/mcp.json", '{\n  "inputs": null,\n  "servers": null\n}\n');
    const { code, err } = await install("vscode", "--name", "constructor");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(readFileSync(file, "utf8")).toContain('"inputs": null,');
    expect((await install("vscode", "--env", "API_KEY=hunter2")).code).toBe(0);
    const { inputs, servers } = JSON.parse(readFileSync(file, "utf8")) as Record<string, object>;
    expect(inputs).toMatchObject([{ id: "sample_API_KEY" }]);
    expect(Object.keys(servers ?? {})).toEqual(["constructor", "sample"]);
  });

  test.each([
    ["goose", ".config/goose/config.yaml", "extensions: &all\n  other: &o { cmd: x }\nalso: *all\n"],
    ["goose", ".config/goose/config.yaml", "base: &base { a: { cmd: x } }\nextensions: *base\n"],
    ["codex", ".codex/config.toml", 'mcp_servers = { other = { command = "x" } }\n'],
  ])("is left unchanged if the change would affect other settings: %s, %#", async (name, path, text) => {
    const file = write(path, text);
    const { code, err } = await install(name);
    expect({ code, err: err.replaceAll(/\s+/g, " ") }).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "would change other parts of the file. hint Edit the file yourself.",
      ) as string,
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("keeps an entry with an anchor that others use", async () => {
    const text = "extensions:\n  sample: &o\n    cmd: node\n  more: *o\n";
    const file = write(".config/goose/config.yaml", text);
    const { err } = await install("goose", "--remove", "--name", "sample");
    expect(err).toContain("would change other parts of the file.");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("in TOML keeps the comments in an entry that is updated", async () => {
    await install("codex", "--env", "MODE=a");
    const file = join(home, ".codex/config.toml");
    const text = readFileSync(file, "utf8").replace('MODE = "a"', '# mine\nMODE = "a" # which one\n# below');
    writeFileSync(file, text);
    expect((await install("codex", "--env", "MODE=b")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text.replace('"a"', '"b"'));
  });

  test("with a syntax error is not changed, and the error names its path", async () => {
    const file = write(".cursor/mcp.json", "{\n  nothing }");
    const { code, err } = await install("cursor");
    expect({ code, err }).toEqual({
      code: 1,
      err: "error  <project>/home/.cursor/mcp.json cannot be read: syntax error in line 2\nhint   Fix the file, or move it away, and run the command again.\n",
    });
    expect(readFileSync(file, "utf8")).toBe("{\n  nothing }");
  });

  test("keeps everything except the server's entry, whatever it contains", () => {
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
          const text = changeConfig(
            {
              format,
              file: "config",
              text: WRITERS[format]({ ...top, servers: { ...servers, ...(ours && { ours }) } }),
            },
            change,
          );
          expect(findServer({ format, file: "config", text }, change)).toEqual(change.entry);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("with an entry for the server keeps the comments in it", async () => {
    const script = join(project.root, "dist/server.js");
    const entry = (node: string): string =>
      `{ "mcpServers": { "sample": {\n  "args": ["--env-file=.env", ${JSON.stringify(script)}],\n  "command": "${node}", // mine\n  "env": { "KEY": "k" /* of Ada */ },\n  "disabled": false\n} } }\n`;
    const file = write(".cursor/mcp.json", entry("/old/node"));
    const { code, out } = await install("cursor");
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "✓ Added sample to Cursor.
        kept your settings: args, KEY in env, disabled
        <project>/home/.cursor/mcp.json
        backup: <project>/home/.cursor/mcp.json.before-tenon
      Next: Enable it in the settings, under MCP.
      ",
      }
    `);
    expect(readFileSync(file, "utf8")).toBe(entry(process.execPath));
    // A folder whose name begins with the same characters is a different one.
    write(".cursor/mcp.json", entry("node").replace("/dist/", "-2/dist/"));
    expect((await install("cursor")).err).toContain("another server");
  });

  test("with an entry for a URL keeps the headers of that URL only", async () => {
    const header = ["--header", "Authorization: Bearer secret"];
    await install("cursor", "--url", "https://a.example/mcp", ...header);
    const again = await install("cursor", "--url", "https://a.example/mcp", "--header", "X-Team: a");
    expect(again.out).toContain("kept your settings: Authorization in headers\n");
    expect(again.out).not.toContain("secret");
    const elsewhere = ["cursor", "--url", "https://b.example/mcp"];
    expect((await install(...elsewhere)).err).toContain("another server");
    await install(...elsewhere, "--force");
    expect(readFileSync(join(home, ".cursor/mcp.json"), "utf8")).not.toContain("secret");
  });

  test("in TOML loses only the tables of the removed server", () => {
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
    const changed = changeConfig(
      { format: "toml", file: "config.toml", text },
      {
        key: "mcp_servers",
        server: "ours",
        entry: { command: "new" },
      },
    );
    expect(parseToml(changed)).toEqual({
      model: "x",
      mcp_servers: { ours: { command: "new" }, "ours-too": { command: "other" } },
    });
    expect(changed).toContain("# a word on the next one");
  });
});

describe("an invalid request", () => {
  test.each([
    [["clod-code"]],
    [["goose", "--scope", "project"]],
    [["cursor", "--env", "=KEY"]],
    [["cursor", "--env", "sk-live-0123456789"]],
    [["cursor", "--env", "MODE=a", "--env", "mode=b", "--env", "MODE"]],
    [["cursor", "--url", "https://a.example/mcp", "--header", "X-Team: a", "--header", "x-team: b"]],
    [["cursor", "--url", "https://a.example/mcp", "--env", "MODE=a"]],
    [["cursor", "--url", "nowhere"]],
    [["cursor", "--url", "ftp://a.example/mcp"]],
    [["cursor", "nothing-here"]],
    [["cursor", "--header", "X-API-Key: k"]],
    [["cursor", "--url", "https://a.example/mcp", "--header", "Bearer secret"]],
  ])("is rejected: %j", async (args) => {
    const { code, err } = await install(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatchSnapshot();
  });

  test("without a client, the format that most clients read is printed", async () => {
    const { out, err } = await install();
    expect(JSON.parse(out)).toMatchObject({ mcpServers: { sample: { command: "node" } } });
    expect(err).toMatchSnapshot();
  });
});

/** A program that is a server if it finds its key, and reveals nothing of how it was built. */
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

describe("a server command after --", () => {
  const command = ["--", "node", "server.cjs", "--quiet"];
  beforeEach(() => project.write({ "server.cjs": PUBLISHED }));

  test("is started to read its name, and written for the client with absolute paths", async () => {
    const added = await install("cursor", "--env", "KEY=k", ...command);
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out.replaceAll(home, "~")).toMatchInlineSnapshot(`
      "✓ Added ada-repo-audit to Cursor.
        @ada/repo audit 1.2.0: 1 tool
        <project>/home/.cursor/mcp.json
      Next: Enable it in the settings, under MCP.
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

  test("needs no project, and is removed by name without being started", async () => {
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
    expect(err).toContain("run `tenon install <client> -- …`");
    const file = write(".cursor/mcp.json", '{ "mcpServers": { "audit": { "command": "node" } } }');
    expect((await install("cursor", "--name", "audit", "--remove", "--", "no-such-program")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("audit");
  });

  test.each([
    ["it does not respond", ["cursor", ...command]],
    ["its program does not exist", ["cursor", "--", "no-such-program-anywhere"]],
    ["its name is invalid in clients", ["cursor", "--env", "KEY=k", "--env", "CALLED=天気", ...command]],
    ["a URL is also given", ["cursor", "--url", "https://a.example/mcp", ...command]],
    ["unexpected arguments are also given", ["cursor", ".", "more", ...command]],
    ["headers are also given", ["cursor", "--header", "A: 1", ...command]],
  ])("is not written if %s", async (_name, args) => {
    const { code, err } = await install(...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatchSnapshot();
    expect(existsSync(join(home, ".cursor"))).toBe(false);
  });

  test("may have a name that a terminal cannot display", async () => {
    const { out } = await install("cursor", "--env", "KEY=k", "--env", "CALLED=a\u001b[2Jb", ...command);
    expect(out).toContain("Added a-2Jb to");
    expect(out).not.toContain("\u001b");
  });

  test.each<[string, object, string[], string[]]>([
    ["a package with the name of a folder", {}, ["npx", "--yes", "src"], ["npx", "--yes", "src"]],
    ["a folder", {}, ["npx", "fs", "."], ["npx", "fs", "<project>"]],
    ["a program", {}, ["./run.sh", "in/none"], ["<project>/run.sh", "in/none"]],
    [
      "Node.js for a graphical client",
      { client: "cursor" },
      ["node", "run.sh"],
      ["<node>", "<project>/run.sh"],
    ],
    ["shared", { scope: "project", client: "cursor" }, ["node", "./run.sh"], ["node", "./run.sh"]],
    [
      "shared by VS Code",
      { scope: "project", client: "vscode" },
      ["node", "./run.sh", "a.json"],
      ["node", "${workspaceFolder}/run.sh", "a.json"],
    ],
  ])("is written with absolute paths: %s", (_name, given, words, written) => {
    project.write({ "src/a.ts": "", "run.sh": "" });
    const { client, scope = "user" } = given as { client?: string; scope?: "user" | "project" };
    const { command: program, args } = toProgramAddress(words, {
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

  test.each([
    ["user", ["npx", "-y", "shop"], ["cmd", "/c", "npx", "-y", "shop"]],
    ["user", ["node", "server.js"], ["node", "server.js"]],
    ["project", ["npx", "-y", "shop"], ["npx", "-y", "shop"]],
  ] as const)("starts scripts with the shell on Windows, in scope %s: %j", (scope, words, written) => {
    const given = { folder: project.root, scope, env: {}, platform: "win32" } as const;
    const { command: program, args } = toProgramAddress(words, given);
    expect([program, ...args]).toEqual(written);
  });
});

test("a server with changed sources is rebuilt, and the client's entry has its current name", async () => {
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
  expect(first.err).toBe("The sources have changed since the last build. Building…\n");
  expect(first.out).toContain("Added sample to Claude Code.");
  expect(readFileSync(join(project.root, "dist/tenon.manifest.json"), "utf8")).toContain('"now"');
  // Built once, it is fresh, though some of its files are as they were.
  expect((await install("claude-code")).err).toBe("");
  const isFresh = (): boolean | undefined => isBuildFresh(project.root, join(project.root, "dist"));
  renameSync(join(project.root, "src/a.ts"), join(project.root, "src/b.ts"));
  expect(isFresh()).toBe(false);
  // Two links of a folder to itself would make 2^40 paths.
  for (const name of ["here", "there"]) symlinkSync(".", join(project.root, "src", name));
  const farAhead = new Date("2100-01-01");
  utimesSync(join(project.root, "dist/.tenon-files.json"), farAhead, farAhead);
  expect(isFresh()).toBe(true);
});

describe("install --remove and later changes", () => {
  test("an entry of another project is kept, unless the user names it", async () => {
    const text = `{"mcpServers":{"sample":{"command":"node","args":["/elsewhere/server.js"]}}}`;
    const file = write(".cursor/mcp.json", text);
    const { code, err } = await install("cursor", "--remove");
    expect(code).toBe(1);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "The server sample of Cursor does not start a program of this project. hint To remove it anyway, name it: --name sample.",
    );
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await install("cursor", "--remove", "--name", "sample")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toContain("elsewhere");
  });

  test("an entry that starts the program of the project is not the server of a URL", async () => {
    const file = write(".cursor/mcp.json", "");
    await install("cursor");
    const text = readFileSync(file, "utf8");
    const { code, err } = await install("cursor", "--remove", "--url", "https://a.example/mcp");
    expect(err).toContain("The server sample of Cursor has another URL.");
    expect(code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.each<[string, object, string[]]>([
    [
      "receives the project folder as an argument",
      { command: "npx", args: ["server-filesystem", "<project>"] },
      [],
    ],
    ["has a file of the project in a variable", { command: "uvx", env: { FILE: "<project>/a.js" } }, []],
    ["has the path of a data file as an argument", { command: "uvx", args: ["<project>/data.db"] }, []],
    [
      "runs another program in a file of the project",
      { command: "npx", args: ["-y", "other"] },
      ["--scope", "project"],
    ],
    ["has another URL", { url: "https://b.example/mcp" }, ["--url", "https://a.example/mcp"]],
    ["runs another command", { command: "node", args: ["<project>/b.js"] }, ["--", "node", "server.cjs"]],
  ])("an entry of the same name is kept if it %s", async (_name, entry, args) => {
    project.write({
      "server.cjs": PUBLISHED.replace("process.env.KEY === undefined", "false").replace(
        "@ada/repo audit",
        "sample",
      ),
    });
    const text = JSON.stringify({ mcpServers: { sample: entry } }).replaceAll("<project>", project.root);
    const file = args.includes("project")
      ? join(project.root, ".cursor/mcp.json")
      : write(".cursor/mcp.json", text);
    project.write({ ".cursor/mcp.json": text });
    const { code, err } = await install("cursor", "--remove", ...args);
    expect(err).toContain("To remove it anyway, name it: --name sample.");
    expect(code).toBe(1);
    expect((await install("cursor", ...args)).err).toContain("another server named sample");
    expect(readFileSync(file, "utf8")).toBe(text);
    const split = args.indexOf("--");
    const named = split === -1 ? [...args, "--name", "sample"] : ["--name", "sample", ...args];
    expect((await install("cursor", "--remove", ...named)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: {} });
  });

  test("an entry for a URL or a command is removed with the same arguments", async () => {
    project.write({ "server.cjs": PUBLISHED.replace("process.env.KEY === undefined", "false") });
    for (const args of [
      ["--url", "https://a.example/mcp"],
      ["--", "node", "server.cjs"],
    ]) {
      expect((await install("cursor", ...args)).code).toBe(0);
      expect(await install("cursor", "--remove", ...args)).toMatchObject({ code: 0, err: "" });
    }
    expect(JSON.parse(readFileSync(join(home, ".cursor/mcp.json"), "utf8"))).toEqual({ mcpServers: {} });
  });

  test("each version that a change replaces is in a backup, and none in two", async () => {
    const text = `{"mcpServers":{}}`;
    const file = write(".cursor/mcp.json", text);
    const versions = [text];
    const change = async (...args: string[]): Promise<string> => {
      const { out } = await install("cursor", ...args);
      const current = readFileSync(file, "utf8");
      if (!versions.includes(current)) versions.push(current);
      return out;
    };
    await change();
    expect(await change("--remove")).toContain("backup: <project>/home/.cursor/mcp.json.before-tenon-2\n");
    expect(await change()).toContain("backup: <project>/home/.cursor/mcp.json.before-tenon\n");
    await change("--remove");
    writeFileSync(file, `{"mcpServers":{"mine":{"command":"a"}}}`);
    versions.push(readFileSync(file, "utf8"));
    await change();
    writeFileSync(file, `{"mcpServers":{"mine":{"command":"b"}}}`);
    versions.push(readFileSync(file, "utf8"));
    await change();
    const backups = readdirSync(dirname(file)).filter((name) => name.includes("before-tenon"));
    const contents = backups.map((name) => readFileSync(join(dirname(file), name), "utf8"));
    expect(new Set(contents).size).toBe(contents.length);
    // Only the current version and the one that the user replaced by hand have none.
    expect(versions.filter((version) => !contents.includes(version))).toHaveLength(2);
    expect(readFileSync(`${file}.before-tenon`, "utf8")).toBe(text);
  });
});
