import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { sourceEntries } from "./support/source-entries.js";

export default defineConfig({
  // A test and what it tests are one copy of every module. What a test starts in a process of its own uses `dist`.
  resolve: { alias: sourceEntries() },
  test: {
    root: join(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts", "examples/*/*.test.ts"],
    globalSetup: ["test/support/build-examples.ts", "test/wire/global-setup.ts"],
    // Whatever a server says in any test is checked against the schemas of the specification.
    setupFiles: "test/wire/setup.ts",
    // Vitest leaves one core free by default, which on a machine with two means half the speed.
    maxWorkers: "100%",
    // Only what hangs takes this long, on however busy a machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
