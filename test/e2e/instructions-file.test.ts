/** Instructions in a file, which the build reads. */
import { connect } from "@tenon/runtime/testing";
import { createServer } from "@tenon/runtime/server";
import { expect, test } from "vitest";
import { buildServer } from "../support/built-server.js";

const SOURCES = {
  "src/notes.ts": `
    import { Tool } from "@tenon/runtime";
    export class Notes {
      /** Lists notes. */
      @Tool({ readOnly: true, openWorld: false }) list(): string[] { return []; }
    }`,
  "src/server.ts": `
    import { defineServer } from "@tenon/runtime";
    export default defineServer({ instructions: { file: "./texts/instructions.md" } });`,
};

test("clients receive the text of the file, which is part of the build", async () => {
  const built = await buildServer({
    ...SOURCES,
    "src/texts/instructions.md": "\uFEFF\r\n# Notes\r\n\r\nList before you add.\r\n",
  });
  try {
    const client = await connect(await built.load());
    expect(client.server.instructions).toBe("# Notes\n\nList before you add.");
  } finally {
    built.remove();
  }
});

test("a file that the build did not read is an error at startup", () => {
  const config = { instructions: { file: "./instructions.md" } };
  const manifest = {
    manifestVersion: 1 as const,
    server: { name: "notes", version: "1.0.0" },
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const validators = { tools: {}, prompts: {}, resourceTemplates: {} };
  expect(() => createServer({ manifest, validators, classes: {}, config })).toThrow(
    "`instructions.file` has no effect: the build did not see it.",
  );
});
