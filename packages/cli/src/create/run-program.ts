import { spawn } from "node:child_process";
import type { RunProgram } from "./context.js";

/** Nothing is read from the terminal: a program that asks a question gets no answer rather than hang. */
export const runProgram: RunProgram = (program, args, { cwd }) =>
  new Promise((resolve) => {
    // On Windows, package managers are scripts, which only a shell can start.
    const shell = process.platform === "win32" && program !== process.execPath;
    const child = spawn(program, args, {
      cwd,
      shell,
      stdio: ["ignore", "pipe", "pipe"],
      env: childEnvironment(),
    });
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => resolve({ exitCode: 1, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ exitCode: code ?? 1, output }));
  });

/**
 * Without what `npm create` and `npx` tell their children: it is about the folder they were started in, and
 * would send the new project's installation there.
 */
function childEnvironment(): NodeJS.ProcessEnv {
  const inherited = /^npm_(?:package|lifecycle|command|config_local_prefix|config_prefix|config_yes)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !inherited.test(name) && name !== "INIT_CWD"),
  );
}
