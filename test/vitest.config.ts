import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts", "examples/*/*.test.ts"],
    globalSetup: ["test/support/build-examples.ts", "test/wire/global-setup.ts"],
    // Whatever a server says in any test is checked against the schemas of the specification.
    setupFiles: "test/wire/setup.ts",
    // Vitest leaves one core free by default, which on a machine with two means half the speed.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
