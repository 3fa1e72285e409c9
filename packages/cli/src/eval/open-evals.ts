import { join } from "node:path";
import { isVisibleTo, type Manifest, type Tool } from "@tenon/runtime/manifest";
import type { Principal } from "@tenon/runtime";
import type { Application, createServer } from "@tenon/runtime/server";
import type { connect } from "@tenon/runtime/testing";
import { OWN_FOLDER } from "../files/own-folder.js";
import { buildForLoading, loadBuilt } from "../project/load-built.js";
import { enterProject } from "../project/project-root.js";
import { writeServerTypes } from "../project/server-types.js";
import type { Terminal } from "../terminal/terminal.js";
import { checkEvals, type CheckedEvals } from "./cases.js";

/** The cases of a project, and its tools as a model sees them. */
export interface OpenedEvals extends CheckedEvals {
  readonly tools: readonly Tool[];
  readonly instructions: string | undefined;
}

/** The module that is bundled with the project. */
interface EvalModule {
  readonly connect: typeof connect;
  readonly createServer: typeof createServer;
  readonly application: Application;
  /** The default exports of the files, in their order. */
  readonly exported: readonly unknown[];
}

const ENTRY = "eval.js";

/**
 * Builds the project with its evals, loads both, and lists the tools of the server. Evals may import the project's sources.
 *
 * @param root the project folder, absolute
 * @param files the files with evals, relative to the project folder
 * @param principal the caller for whom the server lists its tools. Default: the principal of stdio
 * @returns the cases and tools, or undefined if the project has errors, which have been printed
 * @throws Failure for a case that no response could fulfill
 */
export async function openEvals(
  terminal: Terminal,
  root: string,
  files: readonly string[],
  principal: Principal | undefined,
): Promise<OpenedEvals | undefined> {
  const outDir = join(root, OWN_FOLDER, "eval");
  const manifest = await buildForLoading(terminal, root, outDir, new Map([[ENTRY, createEntry(files)]]));
  if (!manifest) return undefined;
  writeServerTypes(manifest, root);
  enterProject(root, terminal.cwd);
  const module = await loadBuilt<EvalModule>(outDir, ENTRY, "The server or its evals cannot be loaded.");
  const server = module.createServer(module.application);
  const caller = principal ?? server.localPrincipal;
  try {
    const client = await module.connect(server, caller ? { principal: caller } : {});
    const tools = listModelTools(await client.listTools(), manifest);
    const { instructions } = client.server;
    client.close();
    const exported = new Map(files.map((file, index) => [file, module.exported[index]]));
    return { ...checkEvals(exported, tools), tools, instructions };
  } finally {
    await server.close();
  }
}

/**
 * Returns the tools that clients show to a model: all but those that only views may call.
 *
 * @param listed the tools that the server lists
 */
export function listModelTools(listed: readonly Tool[], manifest: Manifest): Tool[] {
  const hidden = new Set(
    manifest.tools.flatMap((entry) => (isVisibleTo(entry, "model") ? [] : entry.definition.name)),
  );
  return listed.filter(({ name }) => !hidden.has(name));
}

/** Returns the source of the module. A file without a default export exports `undefined`, which is reported later. */
function createEntry(files: readonly string[]): string {
  const imports = files.map(
    (file, index) => `import * as evals${index} from ${JSON.stringify(`../${file}`)};\n`,
  );
  return `${imports.join("")}export { connect } from "@tenon/runtime/testing";
export { createServer } from "@tenon/runtime/server";
export { application } from "./application.js";
export const exported = [${files.map((_, index) => `evals${index}`).join(", ")}].map((each) => each["default"]);
`;
}
