import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Cancelled } from "./cancelled.js";
import type { CreateContext } from "./context.js";

/** What git exits with where there is no repository. */
const NO_REPOSITORY = 128;

/** Asks whether to make a repository, where git is installed and there is none yet. */
export async function chooseRepository(
  context: Pick<CreateContext, "yes" | "prompts" | "run" | "folder" | "git" | "signal">,
): Promise<void> {
  if (context.git !== undefined) return;
  const { exitCode } = await context.run("git", ["rev-parse", "--is-inside-work-tree"], {
    cwd: nearestFolder(context.folder ?? "."),
    signal: context.signal,
  });
  if (exitCode !== NO_REPOSITORY) {
    context.git = false;
    return;
  }
  const answer = context.yes || (await context.prompts.confirm({ message: "Make it a git repository?" }));
  if (answer === undefined) throw new Cancelled();
  context.git = answer;
}

/** Makes the repository. Where that fails, the project is as good without. */
export async function makeRepository(
  context: Pick<CreateContext, "folder" | "git" | "progress" | "run" | "signal">,
): Promise<void> {
  if (!context.git) return;
  const { exitCode, output } = await context.run("git", ["init", "--quiet"], {
    cwd: context.folder ?? ".",
    signal: context.signal,
  });
  context.progress.note(
    exitCode === 0
      ? "Made a git repository. Nothing is committed yet."
      : `\`git init\` failed: ${output.trim()}`,
  );
}

/** The project's folder is still to be made, perhaps with those it lies in. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
