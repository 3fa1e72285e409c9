import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { projectFolder } from "../support/project-folder.js";
import { TRIP_PLANNER } from "./trip-planner.js";

const CLI = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

/** A project that `tenon dev --open` serves, with the playground. */
export interface PlaygroundProject extends AsyncDisposable {
  root: string;
  /** The address of the page. */
  url: string;
  write(files: Record<string, string>): void;
}

/**
 * Starts `tenon dev --open` without a browser.
 *
 * @param sources the source files, by path (default: the trip planner)
 */
export async function startPlaygroundProject(
  flags: string[] = [],
  sources: Record<string, string> = { "src/trips.ts": TRIP_PLANNER },
): Promise<PlaygroundProject> {
  const { root, write, remove } = projectFolder({
    "package.json": JSON.stringify({ name: "trip-planner", version: "1.2.3", type: "module" }),
    ...sources,
  });
  const port = flags.includes("--stdio") ? [] : ["--port", "0"];
  const child = spawn(process.execPath, [CLI, "dev", root, "--open", ...port, ...flags], {
    env: { ...process.env, BROWSER: "none", NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let printed = "";
  const url = await new Promise<string>((found, failed) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const [, address] = /Playground\s+(http:\S+)/.exec(printed) ?? [];
      if (address !== undefined) found(address);
    });
    child.once("exit", () => failed(new Error(`tenon dev exited:\n${printed}`)));
  });
  return {
    root,
    url,
    write,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await exited;
      remove();
    },
  };
}
