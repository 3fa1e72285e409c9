import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { tenon } from "@tenon/cli/vitest";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { compiledServers } from "./support/compiled-servers.js";
import { LongFilesFirst } from "./support/long-files-first.js";
import { sourceEntries } from "./support/source-entries.js";

/** Their tests read the built examples. */
const EXAMPLES = ["examples/*/*.test.ts", "examples/*/test/*.test.ts", "test/e2e/no-code-generation.test.ts"];

/**
 * They install projects from a separate registry, which takes minutes: `npm run test:scaffold`. One file after the
 * other, since several pack the packages in their folders.
 */
const SCAFFOLD = [
  "test/e2e/scaffold.test.ts",
  "test/e2e/package-managers.test.ts",
  "test/e2e/packaged-elsewhere.test.ts",
  "test/e2e/recorded-session.test.ts",
];

/** They install clients from npm, a gigabyte of them: `npm run test:clients`. */
const CLIENTS = ["test/e2e/clients/*.test.ts", "test/e2e/inspector.test.ts"];

/** It installs and builds with Next.js, which takes a minute: `npm run test:next`. */
const NEXT = ["test/mounting/next.test.ts"];

/**
 * They compile the code of the documentation and of docstrings, run every command that the documentation shows, and open the
 * built site in a headless Chromium, which must be installed: `npm run test:docs`.
 */
const DOCS = [
  "test/docs/code.test.ts",
  "test/docs/transcripts.test.ts",
  "test/docs/examples.test.ts",
  "test/docs/site/{browser,built-site}.test.ts",
];

/** They drive the playground and views in a headless Chromium, which must be installed: `npm run test:playground`. */
const PLAYGROUND = ["test/playground/*.test.ts", "test/view/*.test.ts"];

/** Several processes, or a separate Redis: `npm run test:scale`. */
const SCALE = [
  "test/scale/**/*.test.ts",
  "test/e2e/workers/*.test.ts",
  "test/e2e/built-redis.test.ts",
  "test/runtime/store/{contract,redis-cluster,redis-trouble}.test.ts",
  "test/runtime/replicas/{bullmq,official-calls,official-streams,streams,vanishing-clients}.test.ts",
  "test/runtime/replicas/{durable-steps,durable-call-crashes,tasks-survive}.test.ts",
  "examples/cluster/cluster.test.ts",
];

/**
 * They call the examples with the official clients, and compare Tenon and its examples with other servers, published or built
 * with the official SDK: `npm run test:reference`.
 */
const REFERENCE = [
  "test/interop/*.test.ts",
  "test/reference/*.test.ts",
  "test/differential/*.test.ts",
  "test/cli/example-directories.test.ts",
];

/** They package servers in every form, and release a copy of this repository: `npm run test:package`. */
const PACKAGE = ["test/e2e/package/*.test.ts", "test/published/release.test.ts"];

/** Edits while `tenon dev` or an author's tests run, servers left behind, recorded sessions, evals: `npm run test:dev`. */
const DEV = [
  "test/dev/**/*.test.ts",
  "test/e2e/{orphaned-stdio,test-kit}.test.ts",
  "test/cli/{build-cache,eval,eval-endpoint,eval-matchers}.test.ts",
];

/** A person at a terminal, and servers that run somewhere else: `npm run test:remote`. */
const REMOTE = ["test/e2e/remote/*.test.ts"];

/**
 * Every combination of types, tags, and positions, every style of a client's configuration, many pairs of sources,
 * every check of a token, and many random types and documents: `npm run test:exhaustive`.
 */
const EXHAUSTIVE = [
  "test/compile/{tag-matrix,tag-pairs,schema-readers,schema-agreement,conversion-agreement,contract-agreement}.test.ts",
  "test/compile/{problems,result-agreement,schema-validity,validators}.test.ts",
  "test/cli/{contract-pairs,import-random,install-files}.test.ts",
  "test/runtime/auth/mutations.test.ts",
  "test/fuzz/fuzz.test.ts",
];

/**
 * They run commands, and the servers that these build: `npm run test:cli`. Other groups have those that take longer or need
 * other programs.
 */
const CLI = ["test/cli/*.test.ts", "test/e2e/*.test.ts"];

/** Installs what a first `npm ci` leaves out. */
const THIRD_PARTY = "test/third-party/setup.ts";

/** Time limits of tests, in milliseconds. A test that waits for a condition that never becomes true fails after `waitMs`. */
interface Timeouts {
  testMs: number;
  hookMs: number;
  waitMs: number;
}

/** Several times what the longest test takes on two cores that are busy otherwise; hooks build projects. */
const DEFAULT_TIMEOUTS: Timeouts = { testMs: 30_000, hookMs: 60_000, waitMs: 20_000 };

/**
 * The timeouts of groups whose tests install packages, build several projects, or start browsers and many processes. Hooks also
 * remove what they installed, which may be gigabytes.
 */
const LONG_TIMEOUTS: Timeouts = { testMs: 180_000, hookMs: 600_000, waitMs: 120_000 };

/** The number of retries of a failed test: none, except when `.ci/run` sets it. It lists the tests that passed only then. */
const RETRIES = Number(process.env.TENON_TEST_RETRIES ?? 0);

/** Groups that `npm test` does not run: `npm run test:NAME` runs one. */
const APART = {
  scaffold: { include: SCAFFOLD, globalSetup: [THIRD_PARTY, "test/e2e/registry-setup.ts"] },
  docs: { include: DOCS, globalSetup: [THIRD_PARTY, "test/docs/site/build-site.ts"] },
  package: { include: PACKAGE, globalSetup: THIRD_PARTY },
  remote: { include: REMOTE, globalSetup: THIRD_PARTY },
  clients: { include: CLIENTS, globalSetup: THIRD_PARTY },
  next: { include: NEXT },
  dev: { include: DEV },
  exhaustive: { include: EXHAUSTIVE },
  // The messages between its server and the page contain MCP messages, but are not MCP themselves.
  playground: { include: PLAYGROUND, globalSetup: THIRD_PARTY, setupFiles: [] },
  scale: { include: SCALE, globalSetup: ["test/scale/fixture/setup.ts", "test/support/build-examples.ts"] },
  reference: { include: REFERENCE, globalSetup: [THIRD_PARTY, "test/support/build-examples.ts"] },
};

/** Packages come with their own tests. */
const NOT_OURS = "**/node_modules/**";
const APART_FILES = [NOT_OURS, ...Object.values(APART).flatMap(({ include }) => include)];

/** Defines a group of tests. Its global setup runs only when one of its tests runs. */
function group(
  name: string,
  test: UserWorkspaceConfig["test"],
  { testMs, hookMs, waitMs }: Timeouts = DEFAULT_TIMEOUTS,
): UserWorkspaceConfig {
  return {
    // A test and the code that it tests share one copy of every module. Separate processes use `dist`.
    resolve: { alias: sourceEntries() },
    plugins: [compiledServers()],
    test: {
      name,
      root: join(import.meta.dirname, ".."),
      // Every message of a server in any test is validated against the schemas of the specification.
      setupFiles: ["test/wire/setup.ts", "test/support/parsed-libraries.ts", "test/support/restored.ts"],
      // A worker loads the compiler, the runtime, and the schemas of the wire once and not for each file, which saves
      // three tenths of the processor time. So files share modules, and a test leaves no state behind in any.
      isolate: false,
      testTimeout: testMs,
      hookTimeout: hookMs,
      retry: RETRIES,
      expect: { poll: { timeout: waitMs, interval: 10 } },
      provide: { waitMs },
      ...test,
    },
  };
}

/** Creates the test kit for the examples that use it. In their own configurations, Vitest's root is the example. */
function testKit(): ReturnType<typeof tenon> {
  // `npm run types` checks their tests.
  const kit = tenon({ typeCheck: false });
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
        exclude: [...APART_FILES, ...EXAMPLES, ...CLI],
      }),
      group("cli", { include: CLI, exclude: [...APART_FILES, ...EXAMPLES] }),
      ...Object.entries(APART).map(([name, test]) => group(name, test, LONG_TIMEOUTS)),
      {
        ...group("examples", {
          include: EXAMPLES,
          exclude: APART_FILES,
          globalSetup: "test/support/build-examples.ts",
        }),
        plugins: [compiledServers(), testKit()],
      },
    ],
    globalSetup: "test/wire/global-setup.ts",
    // Many tests wait for a process or a stream: one worker more than there are cores, and none of these waits as well.
    // Vitest leaves one core free by default, which on a machine with two means half the speed.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
  },
});
