import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ToolError } from "@tenon/runtime";

const MAX_BYTES = 4 * 2 ** 20;

/** Options that keep Git from running configured programs when it reads a repository. */
const ALWAYS = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];

/**
 * Runs Git with a list of arguments and without a shell, so that no argument can become a command.
 * Git treats any argument that begins with `-` as an option, so a caller's values follow `=`, `--end-of-options` or
 * `--`.
 *
 * @param folder the working directory
 * @returns the output of Git
 * @throws ToolError with Git's message if it fails
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", [...ALWAYS, ...args], {
      cwd: folder,
      env: createEnvironment(),
      maxBuffer: MAX_BYTES,
      timeout: 60_000,
      ...options,
    });
    return stdout;
  } catch (error) {
    throw toError(error as Failure);
  }
}

interface Failure extends Error {
  code?: string | number | null;
  killed?: boolean;
  stdout?: string;
  stderr?: string;
}

function toError(error: Failure): Error {
  if (error.name === "AbortError") return error;
  if (error.code === "ENOENT") return new ToolError("Git is not installed on the server.");
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return new ToolError(`The output is larger than ${MAX_BYTES / 2 ** 20} MiB. Request a smaller part.`);
  }
  if (error.killed) return new ToolError("Git took too long.");
  const message = error.stderr?.trim() || error.stdout?.trim();
  return message ? new ToolError(message) : error;
}

/** Returns the environment without variables that select another repository, and with prompts disabled. */
function createEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_EDITOR: "true",
    LC_ALL: "C.UTF-8",
  };
}
