import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ToolError } from "@tenon/runtime";

const MOST_BYTES = 4 * 2 ** 20;

/** What a repository may not decide by its configuration when somebody only looks at it. */
const ALWAYS = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];

/**
 * Runs git: a program with a list of arguments and no shell between, so that nothing in them is taken for a command.
 * Git itself takes what begins with `-` for an option, wherever it stands: what a caller has sent goes behind `=`,
 * behind `--end-of-options` or behind `--`.
 *
 * @param folder where to run it
 * @returns what it printed
 * @throws ToolError with git's own words when it fails
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", [...ALWAYS, ...args], {
      cwd: folder,
      env: environment(),
      maxBuffer: MOST_BYTES,
      timeout: 60_000,
      ...options,
    });
    return stdout;
  } catch (error) {
    throw explained(error as Failure);
  }
}

interface Failure extends Error {
  code?: string | number | null;
  killed?: boolean;
  stdout?: string;
  stderr?: string;
}

function explained(error: Failure): Error {
  if (error.name === "AbortError") return error;
  if (error.code === "ENOENT") return new ToolError("Git is not installed where this server runs.");
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return new ToolError(`That is more than ${MOST_BYTES / 2 ** 20} MiB. Ask for a smaller part.`);
  }
  if (error.killed) return new ToolError("Git took too long.");
  const said = error.stderr?.trim() || error.stdout?.trim();
  return said ? new ToolError(said) : error;
}

/** Without variables that lead git to another repository; it must not ask anybody either, since nobody would see it. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_(?!AUTHOR_|COMMITTER_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_EDITOR: "true",
    LC_ALL: "C.UTF-8",
  };
}
