import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTENT_KINDS } from "@tenon/runtime/manifest";
import { expect, test } from "vitest";

const index = readFileSync(join(import.meta.dirname, "../../packages/runtime/src/index.ts"), "utf8");

test.each(Object.values(CONTENT_KINDS).map(({ typeName }) => typeName))("authors can import %s", (name) => {
  expect(index).toMatch(new RegExp(`^  ${name},$`, "m"));
});
