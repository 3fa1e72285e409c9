import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { processorSeconds } from "../../support/processor-time.js";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { PipedServer } from "./piped-server.js";
import { NOISY_SOURCE } from "./noisy-source.js";

/** The server of `noisy-source.ts`, for the tests of one file. */
export interface NoisyServer {
  /** The project folder, absolute. */
  readonly root: string;
  /** `dist/server.js`, absolute. */
  readonly entry: string;
  /** Starts a process that does not outlive its test. */
  start(...given: ConstructorParameters<typeof PipedServer>): PipedServer;
  /** Starts a program from a separate process that can be killed: its host. */
  startUnderHost(...args: string[]): Promise<{ host: PipedServer; pid: number; exitCode(): string }>;
}

/** Builds the server before the tests of the file that calls this. */
export function buildNoisyServer(): NoisyServer {
  const started: PipedServer[] = [];
  const orphans: number[] = [];
  let project: ProjectFolder;

  beforeAll(async () => {
    project = projectFolder({ "src/noisy.ts": NOISY_SOURCE });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build"], terminal), terminal.stderr()).toBe(0);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((each) => each.kill()));
    for (const pid of orphans.splice(0)) {
      if (processorSeconds(pid) !== undefined) process.kill(pid, "SIGKILL");
    }
  });
  afterAll(() => project.remove());

  const start: NoisyServer["start"] = (...given) => {
    const server = new PipedServer(...given);
    started.push(server);
    return server;
  };
  return {
    get root() {
      return project.root;
    },
    get entry() {
      return join(project.root, "dist/server.js");
    },
    start,
    async startUnderHost(...args) {
      const exitFile = join(project.root, "exit-code");
      rmSync(exitFile, { force: true });
      const [host, preload] = ["host.mjs", "note-exit.mjs"].map((name) => join(import.meta.dirname, name));
      const server = start(
        [host ?? "", "--import", preload ?? "", ...args],
        ["pipe", "pipe", "pipe", "ipc"],
        { EXIT_FILE: exitFile },
      );
      const [pid] = (await once(server.child, "message")) as [number];
      orphans.push(pid);
      return { host: server, pid, exitCode: () => readFileSync(exitFile, "utf8") };
    },
  };
}
