import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileTree, SourceEdits } from "@tenon/compiler";
import type { Bundler } from "../bundle/bundle.js";
import { APP, createDevBundler } from "./compile/bundler.js";
import { hostModule, type DevTransport } from "./process/host-module.js";
import { bundleRuntime } from "./compile/runtime-bundle.js";
import { startHost, type ServerProcess } from "./process/server-process.js";
import { createSpareHost } from "./process/standby-process.js";

export interface WorkshopOptions {
  /** The project folder, absolute. */
  root: string;
  transport: DevTransport;
  /** Whatever servers print for people. */
  onOutput(text: string): void;
  /** Colours in error messages. */
  color: boolean;
}

/**
 * Where servers under development are made, each in a folder and a process of its own. What all of them have in
 * common lies beside those folders, and a process that has loaded it waits for the next server.
 */
export interface Workshop {
  /** False until `open` has succeeded. */
  readonly isOpen: boolean;
  /**
   * Takes the runtime that is installed, and the project's settings, as they are.
   *
   * @throws Error when no runtime is installed that could be used
   */
  open(): Promise<void>;
  /**
   * @param modules what the compiler emitted
   * @returns the absolute path of the module that exports the server
   * @throws Failure when the sources cannot be bundled, with every reason
   */
  make(modules: FileTree, sourceEdits: SourceEdits): Promise<string>;
  /**
   * @param module from `make`
   * @throws Failure when the server ends before it serves
   */
  start(module: string): Promise<ServerProcess>;
  /** Removes a server that nothing runs any more. */
  discard(module: string): void;
  close(): Promise<void>;
}

const HOST = "host.mjs";

export function createWorkshop({ root, transport, onOutput, color }: WorkshopOptions): Workshop {
  const shared = join(root, ".tenon", "dev");
  removeAbandoned(shared);
  // Another development server may serve the same project.
  const folder = join(shared, String(process.pid));
  rmSync(folder, { recursive: true, force: true });
  const folderOf = (server: number): string => join(folder, String(server));
  const spare = createSpareHost(() => startHost({ entry: join(folder, HOST), cwd: root, onOutput }));
  let bundler: Bundler | undefined;
  let made = 0;

  const shut = async (): Promise<void> => {
    const shutting = bundler;
    bundler = undefined;
    await Promise.all([shutting?.dispose(), spare.empty()]);
  };
  return {
    get isOpen() {
      return bundler !== undefined;
    },
    async open() {
      await shut();
      const runtime = await bundleRuntime(root);
      writeFiles(runtime.files, join(folder, "node_modules", "@tenon", "runtime"));
      writeFileSync(join(folder, HOST), hostModule(transport));
      bundler = await createDevBundler({ root, outDir: folderOf(0), runtime: runtime.modules, color });
      spare.fill();
    },
    async make(modules, sourceEdits) {
      if (!bundler) throw new Error("The workshop is not open.");
      const files = await bundler.bundle(modules, sourceEdits);
      made += 1;
      writeFiles(files, folderOf(made));
      return join(folderOf(made), APP);
    },
    async start(module) {
      try {
        return await spare.take().load(module);
      } finally {
        spare.fillSoon();
      }
    },
    discard(module) {
      rmSync(dirname(module), { recursive: true, force: true });
    },
    async close() {
      await shut();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Without the compiler, which takes long to load. */
function writeFiles(files: FileTree, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of files) {
    const target = join(folder, path);
    if (dirname(path) !== ".") mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

/** Removes what processes have left behind that could not do it themselves. */
function removeAbandoned(shared: string): void {
  for (const name of namesIn(shared)) {
    if (!isRunning(Number(name))) rmSync(join(shared, name), { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
