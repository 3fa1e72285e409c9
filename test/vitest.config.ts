import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { tenon } from "@tenon/cli/vitest";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { LongFilesFirst } from "./support/long-files-first.js";
import { sourceEntries } from "./support/source-entries.js";

/** Their tests are about what the examples are built to. */
const EXAMPLES = [
  "examples/*/*.test.ts",
  "examples/*/test/*.test.ts",
  "test/interop/*.test.ts",
  "test/differential/*.test.ts",
  "test/e2e/no-code-generation.test.ts",
  "test/fuzz/*.test.ts",
];

/**
 * They install projects from a registry of their own, which takes minutes: `npm run test:scaffold`. One file after the
 * other, since each publishes the packages from their folders.
 */
const SCAFFOLD = [
  "test/e2e/scaffold.test.ts",
  "test/e2e/package-managers.test.ts",
  "test/e2e/packaged-elsewhere.test.ts",
];

/** They install clients from npm, a gigabyte of them: `npm run test:clients`. */
const CLIENTS = ["test/e2e/clients.test.ts"];

/** It installs and builds with Next.js, which takes a minute: `npm run test:next`. */
const NEXT = ["test/mounting/next.test.ts"];

/** They run every command that the documentation shows, and compile every docstring's example: `npm run test:docs`. */
const DOCS = ["test/docs/transcripts.test.ts", "test/docs/examples.test.ts"];

/** They drive the playground in a headless Chromium, which has to be installed: `npm run test:playground`. */
const PLAYGROUND = ["test/playground/*.test.ts"];

/** Several processes, or a Redis of their own: `npm run test:scale`. */
const SCALE = [
  "test/scale/**/*.test.ts",
  "test/e2e/workers/*.test.ts",
  "test/e2e/built-redis.test.ts",
  "test/runtime/store/{contract,redis-cluster,redis-trouble}.test.ts",
  "test/runtime/replicas/{bullmq,vanishing-clients}.test.ts",
  "examples/cluster/cluster.test.ts",
];

/** Beside the servers that others have published: `npm run test:reference`. */
const REFERENCE = ["test/reference/*.test.ts"];

/** They package servers in every form, and release a copy of this repository: `npm run test:package`. */
const PACKAGE = ["test/e2e/package/*.test.ts", "test/published/release.test.ts"];

/** Edits while `tenon dev` or an author's tests run, servers left behind, recorded sessions: `npm run test:dev`. */
const DEV = ["test/dev/**/*.test.ts", "test/e2e/test-kit.test.ts"];

/** A person at a terminal, and servers that run somewhere else: `npm run test:remote`. */
const REMOTE = ["test/e2e/remote/*.test.ts"];

/** Installs what a first `npm ci` leaves out. */
const THIRD_PARTY = "test/third-party/setup.ts";

/** What `npm test` leaves out: each is a group of its own, `npm run test:NAME`. */
const APART = {
  scaffold: { include: SCAFFOLD, globalSetup: THIRD_PARTY },
  docs: { include: DOCS },
  package: { include: PACKAGE, globalSetup: THIRD_PARTY },
  remote: { include: REMOTE, globalSetup: THIRD_PARTY },
  clients: { include: CLIENTS },
  next: { include: NEXT },
  dev: { include: DEV },
  // What its server sends to the page is no MCP, though MCP is in it.
  playground: { include: PLAYGROUND, globalSetup: THIRD_PARTY, setupFiles: [] },
  scale: { include: SCALE, globalSetup: ["test/scale/fixture/setup.ts", "test/support/build-examples.ts"] },
  reference: { include: REFERENCE, globalSetup: [THIRD_PARTY, "test/support/build-examples.ts"] },
};

/** Packages come with tests of their own. */
const NOT_OURS = "**/node_modules/**";
const APART_FILES = Object.values(APART).flatMap(({ include }) => include);

/** A group of tests. What only one group needs is made only when a test of it runs. */
function group(name: string, test: UserWorkspaceConfig["test"]): UserWorkspaceConfig {
  return {
    // A test and what it tests are one copy of every module. What a test starts in a process of its own uses `dist`.
    resolve: { alias: sourceEntries() },
    test: {
      name,
      root: join(import.meta.dirname, ".."),
      // Whatever a server says in any test is checked against the schemas of the specification.
      setupFiles: ["test/wire/setup.ts", "test/support/parsed-libraries.ts", "test/support/restored.ts"],
      // A worker loads the compiler, the runtime and the schemas of the wire once and not for each file, which saves
      // three tenths of the processor time. So files share modules, and a test leaves no state behind in any.
      isolate: false,
      // Only what hangs takes this long, on however busy a machine.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 120_000, interval: 10 } },
      ...test,
    },
  };
}

/** The test kit for the examples that use it, as each has it in its own configuration: there, vitest's root is theirs. */
function testKit(): ReturnType<typeof tenon> {
  const kit = tenon();
  const examples = join(import.meta.dirname, "../examples");
  return {
    ...kit,
    configResolved: () => {
      for (const name of readdirSync(examples)) {
        const root = join(examples, name);
        if (existsSync(join(root, "vitest.config.ts"))) kit.configResolved({ root });
      }
    },
  };
}

export default defineConfig({
  test: {
    root: join(import.meta.dirname, ".."),
    projects: [
      group("packages", {
        include: ["test/**/*.test.ts"],
        exclude: [NOT_OURS, ...EXAMPLES, ...APART_FILES],
      }),
      ...Object.entries(APART).map(([name, test]) => group(name, test)),
      {
        ...group("examples", {
          include: EXAMPLES,
          exclude: [NOT_OURS, ...APART_FILES],
          globalSetup: "test/support/build-examples.ts",
        }),
        plugins: [testKit()],
      },
    ],
    globalSetup: "test/wire/global-setup.ts",
    // Many tests wait for a process or a stream: one worker more than there are cores, and none of these waits as well.
    // Vitest leaves one core free by default, which on a machine with two means half the speed.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
  },
});
