import { tenon } from "@tenon/cli/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [tenon()],
  test: { env: { API_KEYS: "tests:0123456789abcdef0123456789abcdef" } },
});
