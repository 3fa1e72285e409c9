import { tenon } from "@tenon/cli/vitest";
import { expect, it } from "vitest";

it("the Vitest plugin raises timeouts for compilation, unless the author sets them", () => {
  const { config } = tenon();
  expect(config({})).toMatchObject({ test: { testTimeout: 30_000, hookTimeout: 30_000 } });
  expect(config({ test: { testTimeout: 900 } })).not.toHaveProperty("test.testTimeout");
  expect(config({ test: { hookTimeout: 900 } })).not.toHaveProperty("test.hookTimeout");
});
