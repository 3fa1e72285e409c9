/** Instructions in a file, which the build reads. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "@tenon/compiler";
import { connect } from "@tenon/runtime/testing";
import { createServer } from "@tenon/runtime/server";
import { expect, test } from "vitest";
import { buildServer } from "../support/built-server.js";
import { projectFolder } from "../support/project-folder.js";

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

test.each<[string, Buffer, string | undefined]>([
  [
    "in UTF-16, as some shells on Windows write it",
    Buffer.from("\uFEFFList before you add.", "utf16le"),
    "not text",
  ],
  ["of spaces and blank lines", Buffer.from(" \n\n"), "empty"],
  ["with other letters in UTF-8", Buffer.from("Füge Notizen hinzu."), undefined],
])("a file %s is read or reported", (_, bytes, problem) => {
  const project = projectFolder({ ...SOURCES, "src/texts/instructions.md": "" });
  writeFileSync(join(project.root, "src/texts/instructions.md"), bytes);
  const { diagnostics, manifest } = compile({ root: project.root });
  project.remove();
  if (problem === undefined) expect(manifest?.instructions).toBe(bytes.toString("utf8"));
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual(
    problem === undefined
      ? []
      : [expect.stringMatching(`config-instructions-unreadable: The file of the instructions is ${problem}`)],
  );
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
