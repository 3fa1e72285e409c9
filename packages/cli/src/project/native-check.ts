import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** A look at the types of a whole project, in a process of its own. */
export interface NativeCheck {
  /** True once it has come to its end without finding an error. What else it has found, it keeps to itself. */
  foundNothing(): boolean;
  /** Resolves when the process is gone, however it ended. */
  readonly ended: Promise<void>;
  /** Ends the process, if it has not ended yet. */
  stop(): void;
}

/** From 7.0 on, TypeScript is a program of its own. One that is not released yet may miss errors. */
const NATIVE_RELEASE = /^(?:[7-9]|\d\d+)\.\d+\.\d+$/;

/** The verdict is all that is wanted: nothing is kept for the next time, even where tsconfig.json asks for it. */
const NOTHING_ELSE = ["--noEmit", "--incremental", "false", "--composite", "false", "--pretty", "false"];

/** One processor is enough, since the compilation beside it takes longer, and leaves it one where there are two. */
const OPTIONS = [...NOTHING_ELSE, "--singleThreaded"];

/**
 * It is written in Go, and next to nothing of what it allocates is garbage before it ends: looking for it costs a
 * third of the time and saves no memory.
 */
const LITTLE_GARBAGE = { GOGC: "off", GOMEMLIMIT: "1GiB" };

/**
 * Starts the native compiler that the project has installed (`typescript` 7 or later) on the project's
 * tsconfig.json. It looks at all types in a fraction of the time that TypeScript takes in JavaScript, and on another
 * processor.
 *
 * @param root the project folder, absolute
 * @returns undefined when there is none, or none that runs here
 * @example
 * const native = await startNativeCheck(root);
 * const diagnostics = await compilation.checked(native?.foundNothing);
 */
export async function startNativeCheck(root: string): Promise<NativeCheck | undefined> {
  const config = join(root, "tsconfig.json");
  if (!existsSync(config)) return undefined;
  try {
    const program = await nativeCompiler(root);
    return program === undefined ? undefined : start(program, ["-p", config, ...OPTIONS], root);
  } catch {
    // Half an installation, or one for another platform.
    return undefined;
  }
}

/** Where TypeScript itself says that its program is, as the project's folder sees it. */
async function nativeCompiler(root: string): Promise<string | undefined> {
  const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  if (!NATIVE_RELEASE.test(version)) return undefined;
  const path = pathToFileURL(join(dirname(manifest), "lib/getExePath.js")).href;
  const { default: getExePath } = (await import(path)) as { default: () => string };
  return getExePath();
}

function start(program: string, args: string[], cwd: string): NativeCheck {
  const env = { ...LITTLE_GARBAGE, ...process.env };
  const child = spawn(program, args, { cwd, env, stdio: "ignore", windowsHide: true });
  let foundNothing = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", (code) => {
      foundNothing = code === 0;
      resolve();
    });
  });
  return { foundNothing: () => foundNothing, ended, stop: () => void child.kill("SIGKILL") };
}
