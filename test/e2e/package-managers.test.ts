import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CTRL_C, pseudoTerminal } from "../support/pseudo-terminal.js";
import { removeFolder } from "../support/remove-folder.js";
import { run } from "./local-registry.js";
import { sharedRegistry } from "./shared-registry.js";

const TIMEOUT_MS = 600_000;
const program = resolve(import.meta.dirname, "../../packages/create-mcp-server/bin/create-mcp-server.js");

interface PackageManager {
  /** The npm package and its version. */
  package: string;
  /** Creates a project in the folder `made`. */
  create: string[];
  /** Runs the project's own tests. */
  test: string[];
  /** Command that calls a tool, as it is printed. */
  call: string;
}

const CREATE = ["create", "mcp-server", "made", "--yes"];
const MANAGERS: Record<string, PackageManager> = {
  "npm 8, the oldest that can unpack packages": {
    package: "npm@8.19.4",
    create: ["npm", "create", "--yes", "mcp-server@latest", "made", "--", "--yes"],
    test: ["npm", "test"],
    call: "npx tenon call greet",
  },
  pnpm: {
    package: "pnpm@12.21.0",
    create: ["pnpm", ...CREATE],
    test: ["pnpm", "run", "test"],
    call: "pnpm exec tenon call greet",
  },
  "yarn 1": {
    package: "yarn@1.22.22",
    create: ["yarn", ...CREATE],
    test: ["yarn", "run", "test"],
    call: "yarn tenon call greet",
  },
  "yarn 4, which installs without node_modules by default": {
    package: "@yarnpkg/cli-dist@4.18.1",
    create: ["yarn", ...CREATE],
    test: ["yarn", "run", "test"],
    call: "yarn tenon call greet",
  },
  bun: {
    package: "bun@1.4.5",
    create: ["bun", ...CREATE],
    test: ["bun", "run", "test"],
    call: "bun x tenon call greet",
  },
};

let folder: string;
let registry: ReturnType<typeof sharedRegistry>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-managers-"));
  registry = sharedRegistry(folder);
});

afterAll(() => removeFolder(folder));

/** Installs a package manager, and returns an environment in which it uses only the registry of the tests. */
async function install(name: string, manager: string): Promise<NodeJS.ProcessEnv> {
  const prefix = join(folder, `${name}-program`);
  mkdirSync(prefix);
  await run("npm", ["install", "--prefix", prefix, manager], folder, registry.env);
  const home = join(folder, `${name}-home`);
  mkdirSync(home);
  // Yarn 1 installs what `yarn create` runs into these folders. Its default folders belong to the machine.
  const global = `global-folder "${join(home, "global")}"\nprefix "${join(home, "prefix")}"\n`;
  writeFileSync(join(home, ".yarnrc"), `registry "${registry.url}"\n${global}`);
  writeFileSync(
    join(home, ".yarnrc.yml"),
    `npmRegistryServer: "${registry.url}"
unsafeHttpWhitelist: ["127.0.0.1"]
enableTelemetry: false
npmMinimalAgeGate: 0
`,
  );
  return {
    ...registry.env,
    HOME: home,
    npm_config_registry: registry.url,
    YARN_CACHE_FOLDER: join(home, "yarn-cache"),
    PATH: [join(prefix, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    // With `CI`, Bun would install only what a lock file names.
    CI: undefined,
  };
}

describe.each(Object.entries(MANAGERS))("%s", { timeout: TIMEOUT_MS }, (title, manager) => {
  const name = title.replaceAll(/\W+/g, "-");
  const cwd = (): string => join(folder, name);
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    mkdirSync(cwd());
    // Many home folders contain a project that has nothing to do with the new one.
    writeFileSync(join(cwd(), "package.json"), '{ "name": "around", "private": true }\n');
    writeFileSync(join(cwd(), "yarn.lock"), "");
    env = await install(name, manager.package);
  }, TIMEOUT_MS);

  it("creates a project that installs, builds, and returns a result", async () => {
    const [command = "", ...args] = manager.create;
    const { stdout } = await run(command, args, cwd(), env);
    expect(stdout).toContain(`$ ${manager.call}`);
    expect(stdout).toContain("Bonjour, Ada!");
  });

  it("runs the project's own tests", async () => {
    const [command = "", ...args] = manager.test;
    expect((await run(command, args, join(cwd(), "made"), env)).stdout).toMatch(/Tests +\d+ passed/);
  });

  it("installs a project created by a checkout", async () => {
    const [command = ""] = manager.create;
    const args = [program, "vendored", "--yes", "--package-manager", command];
    const { stdout } = await run(process.execPath, args, cwd(), env);
    expect(stdout).toContain("Bonjour, Ada!");
    expect(existsSync(join(cwd(), "vendored/vendor"))).toBe(true);
  });
});

describe("npm, in a workspace", { timeout: TIMEOUT_MS }, () => {
  it("creates a project whose packages are installed for the whole workspace", async () => {
    const root = join(folder, "workspace");
    mkdirSync(root);
    writeFileSync(
      join(root, "package.json"),
      '{ "name": "root", "private": true, "workspaces": ["servers/*"] }\n',
    );
    const args = ["create", "--yes", "mcp-server@latest", "servers/made", "--", "--yes", "--no-git"];
    const { stdout } = await run("npm", args, root, registry.env);
    expect(stdout).toContain("Bonjour, Ada!");
    expect(existsSync(join(root, "node_modules/@tenon/cli"))).toBe(true);
  });
});

describe("Ctrl-C", { timeout: TIMEOUT_MS }, () => {
  it("while npm installs, leaves a project that can be installed, and prints the command for that", async () => {
    const args = ["create", "--yes", "mcp-server@latest", "stopped", "--"];
    const answers = ["--template", "minimal", "--install", "--git"];
    const terminal = pseudoTerminal("npm", [...args, ...answers], { cwd: folder, env: registry.env });
    await terminal.waitForScreen(/Installing with npm/);
    terminal.type(CTRL_C);
    expect(await terminal.exited).toBe(130);
    expect(terminal.screen()).toContain(
      "Cancelled. The files in stopped are complete, but the packages are not installed. " +
        "Continue with `cd stopped` and `npm install`, or remove the folder.",
    );
    expect(terminal.screen()).not.toMatch(/bug in Tenon| at .*\.js:\d+/);
    const project = join(folder, "stopped");
    expect(readdirSync(project)).toEqual(expect.arrayContaining([".git", "package.json", "src", "test"]));
    expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).toMatchObject({
      name: "stopped",
    });
    await run("npm", ["install"], project, registry.env);
    await run("npm", ["exec", "tenon", "build"], project, registry.env);
  });

  it("at a prompt, leaves nothing", async () => {
    const terminal = pseudoTerminal(process.execPath, [program, "unwanted"], { cwd: folder });
    await terminal.waitForScreen(/Which template\?/);
    terminal.type(CTRL_C);
    expect(await terminal.exited).toBe(130);
    expect(terminal.screen()).toContain("Cancelled. Nothing was written.");
    expect(existsSync(join(folder, "unwanted"))).toBe(false);
  });
});
