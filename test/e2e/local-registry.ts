import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { thirdParty } from "../third-party/installed.js";
import { FOLDER_VARIABLE } from "../wire/recorder.mjs";

const repository = resolve(import.meta.dirname, "../..");
/** The packages, in the order of their dependencies. */
const PACKAGES = ["runtime", "compiler", "cli", "create-mcp-server"];
/**
 * The minimum age of other packages, in days. A mirror of npm may have a new version before the packages on which it depends;
 * without an optional one, npm writes a lock file that `npm ci` rejects.
 */
const MIN_AGE_DAYS = 7;

export interface LocalRegistry {
  url: string;
  /** The environment in which npm uses this registry, and none of this machine's settings. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export interface ProgramOutput {
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. Rejects with everything it printed if it fails. */
export async function run(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<ProgramOutput> {
  try {
    return await promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as Partial<ProgramOutput>;
    throw new Error(`${[program, ...args].join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Starts a registry that has the packages of the repository as they are. @param folder where everything is kept */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  const registry = await startEmptyRegistry(folder);
  for (const name of PACKAGES) {
    await run("npm", ["publish", `./packages/${name}`, "--tag", "latest"], repository, registry.env);
  }
  return registry;
}

/**
 * Starts a registry that also has the packages of the one that this machine uses, except for very new versions.
 *
 * @param folder where everything is kept
 */
export async function startEmptyRegistry(folder: string): Promise<LocalRegistry> {
  const { stdout } = await run("npm", ["config", "get", "registry"], repository, process.env);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), configuration(stdout.trim()));
  writeFileSync(join(folder, "npmrc"), npmSettings(url, port));
  const env = registryEnvironment(folder, join(folder, "cache"));
  const server = await startVerdaccio(folder, port, env);
  return {
    url,
    env,
    async stop() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}

function configuration(uplink: string): string {
  const ours = `{ access: $all, publish: $all, unpublish: $all }`;
  return `storage: ./storage
web: { enable: false }
uplinks: { upstream: { url: ${JSON.stringify(uplink)}, cache: false, maxage: 1h, timeout: 60s } }
packages:
  "@tenon/*": ${ours}
  create-mcp-server: ${ours}
  "**": { access: $all, proxy: upstream }
filters:
  "@verdaccio/package-filter":
    minAgeDays: ${MIN_AGE_DAYS}
    allow: [{ scope: "@tenon" }, { package: create-mcp-server }]
log: { type: stdout, format: pretty, level: error }
`;
}

function npmSettings(url: string, port: number): string {
  return `registry=${url}
//127.0.0.1:${port}/:_authToken=anonymous
audit=false
fund=false
update-notifier=false
`;
}

/** Returns the environment without the variables that `npm test` and the test runner pass to their child processes. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_ENV$|VITEST)/i.test(name));
  return { ...Object.fromEntries(inherited), NO_COLOR: "1" };
}

/** Returns the environment in which npm installs from this machine's registry, except for very new versions. */
export function upstreamEnvironment(): NodeJS.ProcessEnv {
  const newest = new Date(Date.now() - MIN_AGE_DAYS * 24 * 60 * 60 * 1000);
  return { ...npmEnvironment(), NPM_CONFIG_BEFORE: newest.toISOString() };
}

/** Returns the environment in which npm uses a registry. @param folder the folder of the registry */
export function registryEnvironment(folder: string, cache: string): NodeJS.ProcessEnv {
  return {
    ...npmEnvironment(),
    NPM_CONFIG_USERCONFIG: join(folder, "npmrc"),
    NPM_CONFIG_CACHE: cache,
    NO_PROXY: [process.env["NO_PROXY"], "127.0.0.1,localhost"].filter(Boolean).join(","),
  };
}

async function startVerdaccio(folder: string, port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const program = thirdParty("verdaccio/bin/verdaccio");
  const child = spawn(
    process.execPath,
    [program, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`],
    {
      cwd: folder,
      // A registry sends no messages.
      env: { ...env, [FOLDER_VARIABLE]: undefined },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  while (child.exitCode === null) {
    const answered = await fetch(`http://127.0.0.1:${port}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return child;
    await delay(100);
  }
  throw new Error(`The registry did not start:\n${output}`);
}

/** Finds a port on which no server listens. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
