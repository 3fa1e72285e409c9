import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.js";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { thirdParty } from "../../third-party/installed.js";
import { getMcpConfigForManifest, type McpbManifestAny } from "../../third-party/mcpb.js";
import { INSTALLED, NATIVE, PURE, WEATHER } from "./sources.js";
import { callText, ERAS, type StartedProgram, startClient } from "./started-server.js";

let project: ProjectFolder;
const folders: string[] = [];
afterEach(() => {
  project.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const tenon = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");
const packer = thirdParty("@anthropic-ai/mcpb/dist/cli/cli.js");

const SETTINGS = {
  name: "@ada/weather",
  version: "1.2.3",
  type: "module",
  description: "Weather of the world.",
  author: "Ada <ada@example.com>",
  license: "MIT",
  repository: { type: "git", url: "git+https://github.com/ada/weather.git", directory: "server" },
};

function makeProject(files: Record<string, string>, settings: object = SETTINGS): void {
  project = projectFolder({ ...files, "package.json": JSON.stringify(settings) }, INSTALLED);
  symlinkSync(thirdParty("@anthropic-ai"), join(project.root, "node_modules/@anthropic-ai"));
}

/** Unpacks a bundle as its official tool does, and returns the folder and the manifest. */
function unpack(name: string): { folder: string; manifest: McpbManifestAny } {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bundle-"));
  folders.push(folder);
  execFileSync(process.execPath, [packer, "unpack", join(project.root, "package/mcpb", name), folder]);
  return {
    folder,
    manifest: JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as McpbManifestAny,
  };
}

/** Returns the program that a host starts for a bundle, with the options of the user. */
async function program(
  name: string,
  userConfig: Record<string, string>,
): Promise<StartedProgram | undefined> {
  const { folder, manifest } = unpack(name);
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: folder,
    systemDirs: {},
    userConfig,
    pathSeparator: "/",
  });
  return config && { command: config.command, args: config.args ?? [], env: config.env ?? {}, cwd: tmpdir() };
}

describe("tenon package --mcpb", () => {
  it("removes its temporary folder when it is interrupted", async () => {
    const installed = "node_modules/@anthropic-ai/mcpb";
    project = projectFolder(
      {
        ...WEATHER,
        "package.json": JSON.stringify(SETTINGS),
        "temporary/.keep": "",
        [`${installed}/package.json`]: JSON.stringify({ name: "@anthropic-ai/mcpb", version: "2.1.2" }),
        [`${installed}/dist/cli/cli.js`]: "setInterval(() => {}, 1000);",
      },
      INSTALLED,
    );
    const temporary = join(project.root, "temporary");
    const child = spawn(process.execPath, [tenon, "package", "--mcpb"], {
      cwd: project.root,
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
    });
    const exited = once(child, "exit");
    const listFolders = (): string[] => readdirSync(temporary).filter((name) => name !== ".keep");
    await eventually(() => expect(listFolders()).toHaveLength(1));
    child.kill("SIGTERM");
    expect(await exited).toEqual([143, null]);
    expect(listFolders()).toEqual([]);
    expect(existsSync(join(project.root, "package"))).toBe(false);
  });

  it("creates a bundle that the official packer packs and hosts can start", async () => {
    makeProject({ ...WEATHER, ...PURE });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--mcpb"], terminal)).toBe(0);
    expect(terminal.stderr()).toBe("");
    const shown = terminal
      .stdout()
      .replaceAll(/in \d+\.\d s/g, "in 0.0 s")
      .replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");
    expect(shown).toMatchInlineSnapshot(`
      "✓ @ada/weather 1.2.3: 2 tools, 1 prompt, and 1 resource template in 0.0 s

      --mcpb
        package/mcpb/ada-weather-1.2.3.mcpb  0.0 kB
        The user who installs it is prompted for WEATHER_API_KEY and WEATHER_UNITS (optional).
        To give the bundle an icon, add icon.png to the project.

        npx @anthropic-ai/mcpb info package/mcpb/ada-weather-1.2.3.mcpb   shows information about it
        npx @anthropic-ai/mcpb sign package/mcpb/ada-weather-1.2.3.mcpb   signs it
        package/mcpb/ada-weather-1.2.3.mcpb                               opens in Claude Desktop
      "
    `);
    expect(unpack("ada-weather-1.2.3.mcpb").manifest).toMatchInlineSnapshot(`
      {
        "author": {
          "email": "ada@example.com",
          "name": "Ada",
        },
        "compatibility": {
          "platforms": [
            "darwin",
            "win32",
            "linux",
          ],
          "runtimes": {
            "node": ">=20.19",
          },
        },
        "description": "Weather of the world.",
        "license": "MIT",
        "manifest_version": "0.3",
        "name": "ada-weather",
        "prompts_generated": true,
        "repository": {
          "type": "git",
          "url": "https://github.com/ada/weather",
        },
        "server": {
          "entry_point": "dist/start.js",
          "mcp_config": {
            "args": [
              "\${__dirname}/dist/start.js",
            ],
            "command": "node",
            "env": {
              "WEATHER_API_KEY": "\${user_config.weather_api_key}",
              "WEATHER_UNITS": "\${user_config.weather_units}",
            },
          },
          "type": "node",
        },
        "tools": [
          {
            "description": "Current conditions for a city.",
            "name": "current",
          },
          {
            "description": "Asks a package.",
            "name": "pure",
          },
        ],
        "user_config": {
          "weather_api_key": {
            "description": "Your key of api.weather.example.",
            "required": true,
            "sensitive": true,
            "title": "Weather API key",
            "type": "string",
          },
          "weather_units": {
            "default": "metric",
            "description": "Which units are used.",
            "required": false,
            "title": "Weather units",
            "type": "string",
          },
        },
        "version": "1.2.3",
      }
    `);
    for (const era of ERAS) {
      const started = await program("ada-weather-1.2.3.mcpb", { weather_api_key: "k" });
      const client = await startClient(started as StartedProgram, era);
      expect(await callText(client, "current", { city: "Oslo" })).toBe(
        JSON.stringify({ city: "Oslo", units: "metric", key: "k" }),
      );
      expect(await callText(client, "pure")).toBe("pure/thing");
      await client.close();
    }
    // A host does not start a server without its required settings.
    expect(await program("ada-weather-1.2.3.mcpb", {})).toBeUndefined();
  });

  it("sets no variable for a field left empty", async () => {
    makeProject({
      "src/a.ts": `import { Tool } from "@tenon/runtime";
export const home = process.env.HOME ?? process.env.NODE_ENV;
const region = process.env.REGION ?? Object.keys(globalThis).slice(0, 0).join() + "nowhere";
export class A { /** Say. */ @Tool() region(): string { return region; } }`,
    });
    expect(await run(["package", "--mcpb"], recordingTerminal(project.root))).toBe(0);
    const started = (await program("ada-weather-1.2.3.mcpb", {})) as StartedProgram;
    expect(started.env).toEqual({ REGION: "${user_config.region}" });
    const client = await startClient(started);
    expect(await callText(client, "region")).toBe("nowhere");
    await client.close();
  });

  it("has a field for each of two variables that differ only in case", async () => {
    makeProject({
      "src/a.ts": `import { Tool } from "@tenon/runtime";
const proxy = process.env.WEB_PROXY ?? process.env.web_proxy ?? "";
export class A { /** Say. */ @Tool() proxy(): string { return proxy; } }`,
    });
    expect(await run(["package", "--mcpb"], recordingTerminal(project.root))).toBe(0);
    const fields = { WEB_PROXY: "a", web_proxy: "b" };
    const { env } = (await program("ada-weather-1.2.3.mcpb", fields)) as StartedProgram;
    expect(env).toEqual(fields);
  });

  it("reports where the sources compute the names of variables", async () => {
    makeProject({
      ...WEATHER,
      ...PURE,
      "src/env.ts": "export const env = (name: string) => process.env[name];",
    });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--mcpb"], terminal)).toBe(0);
    expect(terminal.stdout().replaceAll(/\s+/g, " ")).toContain(
      "Not listed: the variables that are read in src/env.ts:1, where their names are unknown. Write `process.env.NAME`, or",
    );
  });

  it("names package.json if the packer rejects a field of the manifest", async () => {
    makeProject(WEATHER, { ...SETTINGS, author: "Ada <ada@nowhere>" });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--mcpb"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("author.email: Invalid email");
    expect(terminal.stderr()).toContain("The fields of the manifest come from package.json.");
  });

  it("includes packages that cannot be bundled, with their dependencies", async () => {
    makeProject({
      ...NATIVE,
      "node_modules/native-thing/index.js": `exports.answer = () => "native " + require("below");`,
      "node_modules/native-thing/package.json": JSON.stringify({
        name: "native-thing",
        version: "2.0.0",
        types: "index.d.ts",
        gypfile: true,
        dependencies: { below: "1", elsewhere: "1" },
        optionalDependencies: { elsewhere: "1" },
      }),
      "node_modules/below/package.json": JSON.stringify({ name: "below", version: "1.0.0" }),
      "node_modules/below/index.js": `module.exports = "below";`,
    });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--mcpb"], terminal)).toBe(0);
    expect(terminal.stdout().replaceAll(/\s+/g, " ")).toContain(
      `It contains native code and runs only on ${process.platform} (${process.arch}): native-thing.`,
    );
    const started = (await program("ada-weather-1.2.3.mcpb", {})) as StartedProgram;
    const client = await startClient(started);
    expect(await callText(client, "ask")).toBe("native below");
    await client.close();
    expect(unpack("ada-weather-1.2.3.mcpb").manifest.compatibility?.platforms).toEqual([process.platform]);
  });

  it.each([
    [
      { author: undefined },
      "error  package.json has no author, which a bundle must name.\n" +
        'hint   Add "author": "Your Name <you@example.com>".\n',
    ],
    [
      { description: undefined },
      "error  package.json has no description, which users read before they install a bundle.\n" +
        'hint   Describe the server in one sentence: "description": "…".\n',
    ],
    [
      { author: { name: "Ada", email: "nobody" } },
      /^error {2}The official bundle packer failed:\n\n[^]*author.email/,
    ],
  ])("rejects %j", async (settings, message) => {
    makeProject(WEATHER, { ...SETTINGS, ...settings });
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--mcpb"], terminal)).toBe(1);
    if (typeof message === "string") expect(terminal.stderr()).toBe(message);
    else expect(terminal.stderr()).toMatch(message);
    expect(readdirSync(project.root)).not.toContain("package");
  });
});
