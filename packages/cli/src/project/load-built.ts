import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileTree } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { formatStartFailure } from "@tenon/runtime/start-failure";
import { guardStdout } from "@tenon/runtime/stdout-guard";
import { Failure } from "../terminal/failure.js";
import { printErrors } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * Builds a project to load it in this process, and prints its errors.
 *
 * @param outDir the output folder, absolute
 * @param extraEntries additional modules for the output
 * @returns the manifest, or undefined if the project has errors
 */
export async function buildForLoading(
  { err }: Terminal,
  root: string,
  outDir: string,
  extraEntries?: FileTree,
): Promise<Manifest | undefined> {
  // Commands that load an earlier build need neither the compiler nor the bundler.
  const { buildProject } = await import("./build-project.js");
  const { compilation, files } = await buildProject({
    root,
    outDir,
    typeCheck: false,
    bundlePackages: false,
    color: err.color,
    ...(extraEntries && { extraEntries }),
  });
  printErrors(err, compilation.diagnostics);
  return files && compilation.manifest;
}

/** The number of modules that this process has loaded. */
let loads = 0;

/**
 * Loads a module of a built project. From then on, everything that the project prints goes to stderr.
 *
 * @param problem the first sentence of the failure
 * @throws Failure if the user's code throws while it is loaded
 */
export async function loadBuilt<Module>(
  outDir: string,
  name: string,
  problem = "The server cannot start.",
): Promise<Module> {
  guardStdout();
  process.setSourceMapsEnabled(true);
  const file = join(outDir, name);
  // Node would return the module of an earlier load, whose server may be closed.
  const url = `${pathToFileURL(file).href}?load=${++loads}`;
  try {
    // Awaited here to keep this module in the stack trace, where it marks the first frame of the command line.
    return (await import(url)) as Module;
  } catch (error) {
    throw new Failure(`${problem}\n\n${formatStartFailure(error, import.meta.url)}`, {
      cause: error,
    });
  }
}
