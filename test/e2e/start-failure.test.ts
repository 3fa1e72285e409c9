import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildProject, run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

/** Each needs the other: `derived.ts` runs first, before `Base` is defined. */
const CIRCLE = {
  "src/base.ts": `import { Tool } from "@tenon/runtime";
import { Derived } from "./derived.js";

export class Base {
  /** Make one. */
  @Tool()
  make(): string {
    return new Derived().name();
  }
}
`,
  "src/derived.ts": `import { Base } from "./base.js";

export class Derived extends Base {
  name(): string {
    return "derived";
  }
}
`,
};

const THROWING = {
  "src/clock.ts": `import { Tool } from "@tenon/runtime";

function read(variable: string): string {
  throw new Error(\`\${variable} is not set.\`);
}

const zone = read("TIME_ZONE");

export class Clock {
  /** The zone. */
  @Tool()
  zone(): string {
    return zone;
  }
}
`,
};

const UNREACHABLE = {
  "src/rows.ts": `import { Tool } from "@tenon/runtime";

const attempts = ["::1", "127.0.0.1"].map((host) => new Error(\`connect ECONNREFUSED \${host}:5432\`));
await Promise.reject(new TypeError("fetch failed", { cause: new AggregateError(attempts) }));

export class Rows {
  /** How many. */
  @Tool()
  count(): number {
    return 0;
  }
}
`,
};

const CLOCK = `
export class Clock {
  /** The zone. */
  @Tool()
  zone(): string {
    return "UTC";
  }
}
`;

const MISCONFIGURED = {
  "src/server.ts": `import { defineServer, Tool } from "@tenon/runtime";
${CLOCK}
export default defineServer({ limits: { callTimeoutMs: Number(process.env["NO_SUCH_VARIABLE"]) } });
`,
};

/** Returns the output of a built server that cannot start. */
async function startBuilt(files: Record<string, string>): Promise<string> {
  project = projectFolder(files);
  await buildProject({ root: project.root });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project.root, "dist/server.js")], {
    input: "",
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  return stderr;
}

describe("a server that cannot start reports the author's files and lines", () => {
  it("if modules import each other", async () => {
    expect(await startBuilt(CIRCLE)).toMatchInlineSnapshot(`
      "The server cannot start.

      TypeError: Class extends value undefined is not a constructor or null
          at src/derived.ts:3:8

      Two modules probably import each other: one runs before the other has its exports. Move what both need to a third module, or import only types.
      "
    `);
  });

  it("if a dependency is unreachable, with all causes", async () => {
    const lines = (await startBuilt(UNREACHABLE)).split("\n").filter((line) => !line.startsWith("    at "));
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "The server cannot start.

      TypeError: fetch failed
      Caused by: AggregateError
      Caused by: Error: connect ECONNREFUSED ::1:5432
      Caused by: Error: connect ECONNREFUSED 127.0.0.1:5432
      "
    `);
  });

  it("without the credentials in its message", async () => {
    const source = UNREACHABLE["src/rows.ts"].replace(
      '"fetch failed"',
      `'cannot reach postgres://ada:hunter2@db:5432/shop (https://x.example/?token=hunter2, "apiKey": "hunter2")'`,
    );
    expect((await startBuilt({ "src/rows.ts": source })).split("\n")[2]).toBe(
      'TypeError: cannot reach postgres://(secret)@db:5432/shop (https://x.example/?token=(secret), "apiKey": "(secret)")',
    );
  });

  it("if a module throws", async () => {
    expect(await startBuilt(THROWING)).toMatchInlineSnapshot(`
      "The server cannot start.

      Error: TIME_ZONE is not set.
          at read (src/clock.ts:4:9)
          at src/clock.ts:7:14
      "
    `);
  });

  it("if an option is invalid, without the frames of Tenon", async () => {
    const output = await startBuilt(MISCONFIGURED);
    expect(output).toContain("TypeError: limits.callTimeoutMs must be a number of milliseconds");
    expect(output).not.toContain("checkOptions");
    expect(output).not.toContain("app.js");
  });

  it.each([
    ["in the whole configuration", "load()"],
    ["in a part of it", `{ name: "clock", ...(load() as Pick<ServerConfig, "profile">) }`],
    ["in a part of any type", `{ name: "clock", ...(load() as any) }`],
    ["in a part with any names", `{ name: "clock", ...(load() as Record<string, any>) }`],
  ])("if a computed option is one that only the build reads: %s", async (_name, config) => {
    const files = {
      "src/server.ts": `import { defineServer, Tool, type ServerConfig } from "@tenon/runtime";
${CLOCK}
function load(): ServerConfig {
  return { profile: "gemini" };
}

export default defineServer(${config});
`,
    };
    expect(await startBuilt(files)).toMatchInlineSnapshot(`
      "The server cannot start.

      TypeError: \`profile\` has no effect: only the build reads it, and src/server.ts computes its value. Write it in the call: defineServer({ profile: "gemini", … }).
      "
    `);
  });

  it("while still responding to --help, --version, and invalid options", async () => {
    project = projectFolder(THROWING);
    await buildProject({ root: project.root });
    const server = join(project.root, "dist/server.js");
    const start = (flag: string) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [server, flag], { encoding: "utf8" });
      return { status, stdout, stderr };
    };
    const usage = expect.stringMatching(/Usage: node server\.js \[options\]\n[^]*--http /) as string;
    for (const flag of ["--help", "-h"])
      expect(start(flag)).toEqual({ status: 0, stdout: usage, stderr: "" });
    expect(start("--version")).toMatchObject({ status: 0, stderr: "" });
    expect(start("--prot")).toEqual({ status: 2, stdout: "", stderr: usage });
    expect(start("--allow-host=mcp.example.com").stderr).toMatch(/^--allow-host needs --http\./);
  });

  it("if a package throws in a file with the name of an emitted one", async () => {
    const files = {
      "src/clock.ts": `import { Tool } from "@tenon/runtime";
import { zone } from "zones";
export class Clock { /** The zone. */ @Tool() zone(): string { return zone; } }`,
      "node_modules/zones/package.json": '{ "name": "zones", "type": "module", "exports": "./dist/app.js" }',
      "node_modules/zones/dist/app.js": 'throw new Error("No zone."); export const zone = "";',
      "node_modules/zones/dist/app.d.ts": "export declare const zone: string;",
    };
    project = projectFolder(files, ["@tenon", "@types", "reflect-metadata"]);
    await buildProject({ root: project.root });
    const { stderr } = spawnSync(process.execPath, [join(project.root, "dist/server.js")], {
      input: "",
      encoding: "utf8",
    });
    expect(stderr).toContain("Error: No zone.");
    expect(stderr).toMatch(/zones\/dist\/app\.js:1:7/);
  });

  it("if `tenon call` starts a server with an invalid option, without emitted frames", async () => {
    project = projectFolder(MISCONFIGURED);
    const terminal = recordingTerminal(project.root);
    expect(await run(["call", "zone"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("TypeError: limits.callTimeoutMs must be a number of milliseconds");
    expect(terminal.stderr()).not.toContain("app.js");
  });

  it("if `tenon call` starts it", async () => {
    project = projectFolder(CIRCLE);
    const terminal = recordingTerminal(project.root);
    expect(await run(["call", "make"], terminal)).toBe(1);
    const output = terminal.stderr();
    expect(output).toContain("error  The server cannot start.");
    expect(output).toContain("src/derived.ts:3:");
    expect(output).toContain("modules probably import each other");
    expect(output).not.toContain("bug in Tenon");
  });
});
