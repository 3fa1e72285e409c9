import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { Ajv } from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { SERVER_JSON_RULES } from "./server-json-rules.js";
import { WEATHER } from "./sources.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const SETTINGS = {
  name: "@ada/weather",
  version: "1.2.3",
  type: "module",
  private: true,
  description: "Weather of the world.",
  author: "Ada <ada@example.com>",
  license: "MIT",
  homepage: "https://weather.example.com",
  repository: { type: "git", url: "git+ssh://git@github.com/Ada/weather.git", directory: "server" },
};

const validate = new Ajv({ strict: false, allErrors: true }).compile(SERVER_JSON_RULES);

interface ServerJson {
  name: string;
  version: string;
  packages: {
    registryType: string;
    identifier: string;
    fileSha256?: string;
    environmentVariables: object[];
  }[];
}

/** Reads the written file, which must follow the rules of the registry. */
function readServerJson(): ServerJson {
  const value = JSON.parse(readFileSync(join(project.root, "server.json"), "utf8")) as ServerJson;
  expect(validate(value) ? [] : validate.errors).toEqual([]);
  return value;
}

const mcpName = (path: string): string | undefined =>
  (JSON.parse(readFileSync(join(project.root, path), "utf8")) as { mcpName?: string }).mcpName;

async function runPackage(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["package", ...args], terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe("tenon package --registry", () => {
  it("lists every package in server.json, and writes the name into every package.json", async () => {
    const text = `${JSON.stringify(SETTINGS, null, 4)}\n`;
    project = projectFolder({ ...WEATHER, "package.json": text });
    const { code, stdout } = await runPackage(
      "--npx",
      "--mcpb",
      "--docker",
      "--registry",
      "--url",
      "https://mcp.example.com/mcp",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("mcp-publisher login github");
    const value = readServerJson();
    const [, bundle] = value.packages;
    const file = readFileSync(join(project.root, "package/mcpb/ada-weather-1.2.3.mcpb"));
    expect(bundle?.fileSha256).toBe(createHash("sha256").update(file).digest("hex"));
    for (const each of value.packages) delete each.fileSha256;
    expect(value).toMatchInlineSnapshot(`
      {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "description": "Weather of the world.",
        "name": "io.github.Ada/weather",
        "packages": [
          {
            "environmentVariables": [
              {
                "description": "Your key of api.weather.example.",
                "isRequired": true,
                "isSecret": true,
                "name": "WEATHER_API_KEY",
              },
              {
                "default": "metric",
                "description": "Which units are used.",
                "name": "WEATHER_UNITS",
              },
            ],
            "identifier": "@ada/weather",
            "registryBaseUrl": "https://registry.npmjs.org",
            "registryType": "npm",
            "runtimeHint": "npx",
            "transport": {
              "type": "stdio",
            },
            "version": "1.2.3",
          },
          {
            "environmentVariables": [
              {
                "description": "Your key of api.weather.example.",
                "isRequired": true,
                "isSecret": true,
                "name": "WEATHER_API_KEY",
              },
              {
                "default": "metric",
                "description": "Which units are used.",
                "name": "WEATHER_UNITS",
              },
            ],
            "identifier": "https://github.com/Ada/weather/releases/download/v1.2.3/ada-weather-1.2.3.mcpb",
            "registryType": "mcpb",
            "transport": {
              "type": "stdio",
            },
            "version": "1.2.3",
          },
          {
            "environmentVariables": [
              {
                "description": "Your key of api.weather.example.",
                "isRequired": true,
                "isSecret": true,
                "name": "WEATHER_API_KEY",
              },
              {
                "default": "metric",
                "description": "Which units are used.",
                "name": "WEATHER_UNITS",
              },
            ],
            "identifier": "ghcr.io/ada/weather:1.2.3",
            "registryType": "oci",
            "runtimeArguments": [
              {
                "name": "-p",
                "type": "named",
                "value": "127.0.0.1:3000:3000",
              },
            ],
            "runtimeHint": "docker",
            "transport": {
              "type": "streamable-http",
              "url": "http://127.0.0.1:3000/mcp",
            },
          },
        ],
        "remotes": [
          {
            "type": "streamable-http",
            "url": "https://mcp.example.com/mcp",
          },
        ],
        "repository": {
          "source": "github",
          "subfolder": "server",
          "url": "https://github.com/Ada/weather",
        },
        "version": "1.2.3",
        "websiteUrl": "https://weather.example.com",
      }
    `);
    expect(readFileSync(join(project.root, "package.json"), "utf8")).toBe(
      text.replace(
        `"name": "@ada/weather",`,
        `"name": "@ada/weather",\n    "mcpName": "io.github.Ada/weather",`,
      ),
    );
    expect(mcpName("package/npx/package.json")).toBe("io.github.Ada/weather");
    expect(readFileSync(join(project.root, "Dockerfile"), "utf8")).toContain(
      `LABEL io.modelcontextprotocol.server.name="io.github.Ada/weather"\n`,
    );
  });

  it("updates the version in an existing file, and reports outdated entries", async () => {
    project = projectFolder({
      ...WEATHER,
      "package.json": JSON.stringify({ ...SETTINGS, description: "x".repeat(101) }),
      "server.json": JSON.stringify({
        $schema: "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json",
        name: "io.github.Ada/weather",
        title: "Weather",
        description: "Short.",
        version: "1.0.0",
        packages: [
          {
            registryType: "npm",
            identifier: "@ada/weather",
            version: "1.0.0",
            transport: { type: "stdio" },
            environmentVariables: [
              { name: "WEATHER_API_KEY", description: "Mine.", placeholder: "abc" },
              { name: "WEATHER_UNITS", description: "Units.", isRequired: true, default: "imperial" },
              { name: "OTHER", isRequired: true },
            ],
          },
          { registryType: "oci", identifier: "ghcr.io/ada/weather:1.0.0", transport: { type: "stdio" } },
        ],
      }),
    });
    const { code, stdout } = await runPackage("--npx", "--registry");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "  server.json still lists ghcr.io/ada/weather:1.0.0, which this run did not package.\n",
    );
    expect(stdout).toContain(
      "  server.json lists OTHER, which the sources do not read. Remove it unless a dependency reads it.\n",
    );
    expect(readServerJson()).toMatchObject({
      title: "Weather",
      description: "Short.",
      version: "1.2.3",
      packages: [
        {
          registryType: "npm",
          version: "1.2.3",
          environmentVariables: [
            {
              name: "WEATHER_API_KEY",
              description: "Mine.",
              placeholder: "abc",
              isSecret: true,
              isRequired: true,
            },
            { name: "WEATHER_UNITS", description: "Units.", default: "metric" },
            { name: "OTHER", isRequired: true },
          ],
        },
        { registryType: "oci", identifier: "ghcr.io/ada/weather:1.0.0" },
      ],
    });
    expect(readServerJson().packages[0]?.environmentVariables[1]).not.toHaveProperty("isRequired");
  });

  it.each([
    [
      ["--npx"],
      { repository: undefined },
      "The name in the MCP registry must identify the owner of the server, but package.json names no repository.",
      'Add "repository": "github:you/weather" for the name io.github.you/weather, or "mcpName": "com.example/weather" with your own domain.',
    ],
    [
      ["--npx"],
      { repository: "gitlab:ada/weather" },
      "The name in the MCP registry must identify the owner of the server, but the repository in package.json is not on GitHub.",
      'Add "repository": "github:you/weather" for the name io.github.you/weather, or "mcpName": "com.example/weather" with your own domain.',
    ],
    [
      ["--npx"],
      { mcpName: "weather" },
      "The MCP registry rejects the name `weather` (mcpName in package.json).",
      "Use your domain name in reverse order, a slash, and a name of letters, digits, dots, hyphens, and underscores, such as io.github.you/weather or com.example/weather.",
    ],
    [
      ["--npx"],
      { description: "🌧".repeat(101) },
      "The description has 101 characters; the MCP registry accepts at most 100.",
      "Shorten it in package.json, or only in server.json if that file exists.",
    ],
    [
      [],
      {},
      "server.json would name no package and no URL, because package.json is private.",
      "Also create the package with `tenon package --npx --registry`, or pass the URL of a running server with --url.",
    ],
    [
      ["--mcpb"],
      { mcpName: "com.example/weather", repository: undefined },
      "The MCP registry accepts bundles only from releases on GitHub and GitLab.",
      'Name the repository in package.json, such as "repository": "github:you/weather", or omit --mcpb.',
    ],
  ])("rejects %j %j", async (args, settings, message, hint) => {
    project = projectFolder({ ...WEATHER, "package.json": JSON.stringify({ ...SETTINGS, ...settings }) });
    const { code, stderr } = await runPackage(...args, "--registry");
    expect(stderr).toBe(`error  ${message}\nhint   ${hint}\n`);
    expect(code).toBe(1);
    expect(readdirSync(project.root)).not.toContain("server.json");
  });

  it("has the hash of a bundle that does not depend on the time, and reports when it becomes outdated", async () => {
    project = projectFolder({ ...WEATHER, "package.json": JSON.stringify(SETTINGS) });
    const note = "server.json has the SHA-256 of a different bundle. To update it, add --registry.";
    const { stdout } = await runPackage("--mcpb", "--registry");
    expect(stdout).toContain("signs it; then write its new SHA-256 to server.json");
    const bundle = readFileSync(join(project.root, "package/mcpb/ada-weather-1.2.3.mcpb"));
    // Midnight on 1980-01-01, in the header of the first file and in the directory of the archive.
    expect(bundle.readUInt32LE(10)).toBe(0x00210000);
    expect(bundle.readUInt32LE(bundle.readUInt32LE(bundle.length - 6) + 12)).toBe(0x00210000);
    expect((await runPackage("--mcpb")).stdout).not.toContain(note);
    project.write({
      "src/more.ts": `import { Tool } from "@tenon/runtime";
export class More { /** More. */ @Tool() more(): string { return "more"; } }`,
    });
    expect((await runPackage("--mcpb")).stdout.replaceAll(/\s+/g, " ")).toContain(note);
    expect((await runPackage("--mcpb", "--registry")).code).toBe(0);
    expect((await runPackage("--mcpb")).stdout).not.toContain(note);
  });

  it("lists everything that package.json lacks together, before writing", async () => {
    project = projectFolder({
      ...WEATHER,
      "package.json": JSON.stringify({ name: "@ada/repo-audit", type: "module" }),
    });
    const { code, stderr } = await runPackage("--npx", "--mcpb", "--registry");
    expect(stderr).toMatchInlineSnapshot(`
      "error  package.json lacks information that the targets require:
        - package.json has no version.
          Use three numbers, such as "version": "1.0.0".
        - package.json has no description, which users read before they install a bundle.
          Describe the server in one sentence: "description": "…".
        - package.json has no author, which a bundle must name.
          Add "author": "Your Name <you@example.com>".
        - The name in the MCP registry must identify the owner of the server, but package.json names no repository.
          Add "repository": "github:you/repo-audit" for the name io.github.you/repo-audit, or "mcpName": "com.example/repo-audit" with your own domain.
      "
    `);
    expect(code).toBe(1);
    expect(readdirSync(project.root)).not.toContain("package");
  });

  it("rejects an address that others cannot reach", async () => {
    project = projectFolder({ ...WEATHER, "package.json": JSON.stringify(SETTINGS) });
    const { code, stderr } = await runPackage("--registry", "--url", "http://localhost:3000/mcp");
    expect(stderr).toContain("The MCP registry requires a public https URL");
    expect(code).toBe(2);
  });
});
