import { tenon } from "@tenon/cli/vitest";
import { expect, it } from "vitest";

it("the Vitest plugin raises timeouts for compilation, unless the author sets them", () => {
  const { config } = tenon();
  expect(config({})).toMatchObject({ test: { testTimeout: 30_000, hookTimeout: 30_000 } });
  expect(config({ test: { testTimeout: 900 } })).not.toHaveProperty("test.testTimeout");
  expect(config({ test: { hookTimeout: 900 } })).not.toHaveProperty("test.hookTimeout");
});

it("the Vitest plugin checks the types of tests after a run, but not in watch mode or if disabled", () => {
  const countReporters = (plugin: ReturnType<typeof tenon>, watch: boolean): number => {
    const reporters: unknown[] = [];
    plugin.configureVitest({ vitest: { config: { watch, reporters } } });
    return reporters.length;
  };
  expect(countReporters(tenon(), false)).toBe(1);
  expect(countReporters(tenon(), true)).toBe(0);
  expect(countReporters(tenon({ typeCheck: false }), false)).toBe(0);
});
