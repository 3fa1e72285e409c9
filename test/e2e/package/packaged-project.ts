/** A project that is packaged for several targets once, and read through each of them. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { expect } from "vitest";
import { projectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { type Wire, WireClient } from "../../support/wire-client.js";
import { httpWire, stdioWire } from "../../support/wires.js";
import { thirdParty } from "../../third-party/installed.js";
import { Miniflare } from "../../third-party/miniflare.js";

/** A packaged project. */
export interface PackagedProject {
  /** The modules of the worker. The last one starts it. */
  readonly workerModules: string[];
  /** Returns the text of a module of the worker. */
  readWorkerModule(name: string): string;
  /** Opens the packaged server, and passes a client to `use`. */
  fromFile<Result>(file: string, use: (client: WireClient) => Promise<Result>): Promise<Result>;
  fromBundle<Result>(use: (client: WireClient) => Promise<Result>): Promise<Result>;
  fromWorker<Result>(use: (client: WireClient) => Promise<Result>): Promise<Result>;
  remove(): void;
}

/**
 * Packages a project as a single file, for npm, as a worker, and as an MCP Bundle.
 *
 * @param name the name of the server
 * @param files by path. A function writes more files to the folder
 */
export async function packageProject(
  name: string,
  files: Record<string, string>,
  writeMore?: (root: string) => void,
): Promise<PackagedProject> {
  const settings = {
    name,
    version: "1.0.0",
    description: name,
    author: "Ada",
    license: "MIT",
    type: "module",
  };
  const { root, remove } = projectFolder({ "package.json": JSON.stringify(settings), ...files });
  writeMore?.(root);
  const terminal = recordingTerminal(root);
  const targets = ["--single-file", "--npx", "--worker", "--mcpb"];
  expect(await run(["package", ...targets], terminal), terminal.stderr()).toBe(0);

  const open = async <Result>(wire: Wire, use: (client: WireClient) => Promise<Result>): Promise<Result> => {
    const client = new WireClient(wire, { revision: "2026-07-28" });
    await client.open();
    return use(client).finally(() => client.close());
  };
  const worker = join(root, "package/worker");
  const workerModules = readdirSync(worker).filter((each) => each.endsWith(".js"));
  const readWorkerModule = (module: string): string => readFileSync(join(worker, module), "utf8");
  return {
    workerModules,
    readWorkerModule,
    fromFile: (file, use) => open(stdioWire(join(root, "package", file)), use),
    fromBundle(use) {
      const folder = join(root, "unpacked");
      const packer = thirdParty("@anthropic-ai/mcpb/dist/cli/cli.js");
      const bundle = join(root, `package/mcpb/${name}-1.0.0.mcpb`);
      execFileSync(process.execPath, [packer, "unpack", bundle, folder]);
      const { server } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
        server: { entry_point: string };
      };
      return open(stdioWire(join(folder, server.entry_point)), use);
    },
    async fromWorker(use) {
      const modules = workerModules.toReversed().map((path) => ({
        type: "ESModule" as const,
        path,
        contents: readWorkerModule(path),
      }));
      const running = new Miniflare({
        modules,
        compatibilityDate: "2026-04-01",
        compatibilityFlags: ["nodejs_compat"],
      });
      try {
        return await open(httpWire(new URL("/mcp", await running.ready).href, fetch), use);
      } finally {
        await running.dispose();
      }
    },
    remove,
  };
}
