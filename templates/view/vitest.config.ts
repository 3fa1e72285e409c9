import { tenon } from "@tenon/cli/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [tenon()] });
