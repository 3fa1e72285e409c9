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

/** What was written, which has to keep the rules of the registry. */
function written(): ServerJson {
  const value = JSON.parse(readFileSync(join(project.root, "server.json"), "utf8")) as ServerJson;
  expect(validate(value) ? [] : validate.errors).toEqual([]);
  return value;
}

const mcpName = (path: string): string | undefined =>
  (JSON.parse(readFileSync(join(project.root, path), "utf8")) as { mcpName?: string }).mcpName;

async function packaged(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["package", ...args], terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe("tenon package --registry", () => {
  it("names all that was made, and puts the name into every package.json", async () => {
    const text = `${JSON.stringify(SETTINGS, null, 4)}\n`;
    project = projectFolder({ ...WEATHER, "package.json": text });
    const { code, stdout } = await packaged(
      "--npx",
      "--mcpb",
      "--docker",
      "--registry",
      "--url",
      "https://mcp.example.com/mcp",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("mcp-publisher login github");
    const value = written();
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

  it("brings a new version into what its author has written, and tells of what is left of an older", async () => {
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
    const { code, stdout } = await packaged("--npx", "--registry");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "  server.json still names ghcr.io/ada/weather:1.0.0, which was not made now.\n",
    );
    expect(stdout).toContain(
      "  server.json asks for OTHER, which no source reads: take it out if no package does.\n",
    );
    expect(written()).toMatchObject({
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
    expect(written().packages[0]?.environmentVariables[1]).not.toHaveProperty("isRequired");
  });

  it.each([
    [
      ["--npx"],
      { repository: undefined },
      "The MCP registry has to know whose server this is, and package.json names no repository.",
      'Add "repository": "github:you/weather" for the name io.github.you/weather, or "mcpName": "com.example/weather" with a domain of yours.',
    ],
    [
      ["--npx"],
      { repository: "gitlab:ada/weather" },
      "The MCP registry has to know whose server this is, and the repository of package.json is not on GitHub.",
      'Add "repository": "github:you/weather" for the name io.github.you/weather, or "mcpName": "com.example/weather" with a domain of yours.',
    ],
    [
      ["--npx"],
      { mcpName: "weather" },
      "The MCP registry does not accept the name `weather`, the mcpName of package.json.",
      "It has a domain that is yours, backwards, one slash, and letters, digits, dots, hyphens and underscores: io.github.you/weather, com.example/weather.",
    ],
    [
      ["--npx"],
      { description: "x".repeat(101) },
      "The description has 101 characters, and the MCP registry takes 100.",
      "Say it shorter in package.json, or in server.json alone, where there is one.",
    ],
    [
      [],
      {},
      "There is nothing that the MCP registry could lead to: package.json is private.",
      "Package it as well, `tenon package --npx --registry`, or give the URL of a running server: --url.",
    ],
    [
      ["--mcpb"],
      { mcpName: "com.example/weather", repository: undefined },
      "The MCP registry takes bundles from releases on GitHub and GitLab alone.",
      'Name the repository in package.json, such as "repository": "github:you/weather", or leave out --mcpb.',
    ],
  ])("refuses %j %j", async (args, settings, message, hint) => {
    project = projectFolder({ ...WEATHER, "package.json": JSON.stringify({ ...SETTINGS, ...settings }) });
    const { code, stderr } = await packaged(...args, "--registry");
    expect(stderr).toBe(`error  ${message}\nhint   ${hint}\n`);
    expect(code).toBe(1);
    expect(readdirSync(project.root)).not.toContain("server.json");
  });

  it("tells all that package.json lacks at once, before anything is made", async () => {
    project = projectFolder({
      ...WEATHER,
      "package.json": JSON.stringify({ name: "@ada/repo-audit", type: "module" }),
    });
    const { code, stderr } = await packaged("--npx", "--mcpb", "--registry");
    expect(stderr).toMatchInlineSnapshot(`
      "error  package.json does not say all that others have to know:
        - package.json has no version.
          Give it one of three numbers, such as "version": "1.0.0".
        - package.json has no description, which people read before they install a bundle.
          Say in a sentence what the server does: "description": "…".
        - package.json has no author, whom a bundle has to name.
          Add "author": "Your Name <you@example.com>".
        - The MCP registry has to know whose server this is, and package.json names no repository.
          Add "repository": "github:you/repo-audit" for the name io.github.you/repo-audit, or "mcpName": "com.example/repo-audit" with a domain of yours.
      "
    `);
    expect(code).toBe(1);
    expect(readdirSync(project.root)).not.toContain("package");
  });

  it("takes no address that others cannot reach", async () => {
    project = projectFolder({ ...WEATHER, "package.json": JSON.stringify(SETTINGS) });
    const { code, stderr } = await packaged("--registry", "--url", "http://localhost:3000/mcp");
    expect(stderr).toContain("The MCP registry takes addresses that everybody can reach by https");
    expect(code).toBe(2);
  });
});
