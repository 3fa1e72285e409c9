import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { CancelledError } from "./cancelled-error.js";
import type { CreateContext } from "./context.js";

/** The exit code of Git outside a repository. */
const NO_REPOSITORY = 128;

/** Asks whether to create a Git repository, if Git is installed and the folder is not inside a repository. */
export async function chooseRepository(
  context: Pick<CreateContext, "yes" | "prompts" | "run" | "folder" | "git" | "signal">,
): Promise<void> {
  if (context.git !== undefined) return;
  const { exitCode } = await context.run("git", ["rev-parse", "--is-inside-work-tree"], {
    cwd: findExistingFolder(context.folder ?? "."),
    signal: context.signal,
  });
  if (exitCode !== NO_REPOSITORY) {
    context.git = false;
    return;
  }
  const answer = context.yes || (await context.prompts.confirm({ message: "Create a Git repository?" }));
  if (answer === undefined) throw new CancelledError();
  context.git = answer;
}

/** Creates the repository. A failure is only reported, because the project works without it. */
export async function createRepository(
  context: Pick<CreateContext, "folder" | "git" | "progress" | "run" | "signal">,
): Promise<void> {
  if (!context.git) return;
  const { exitCode, output } = await context.run("git", ["init", "--quiet"], {
    cwd: context.folder ?? ".",
    signal: context.signal,
  });
  context.progress.note(
    exitCode === 0
      ? "Created a Git repository. Nothing is committed yet."
      : `\`git init\` failed: ${output.trim()}`,
  );
}

/** Returns the nearest existing folder, since the project folder may not exist yet. */
function findExistingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : findExistingFolder(dirname(folder));
}
