import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts", "examples/*/*.test.ts"],
    globalSetup: "test/support/build-examples.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
