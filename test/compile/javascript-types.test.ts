import { compile } from "@tenon/compiler";
import { afterEach, expect, it } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

let project: ProjectFolder;
afterEach(() => project.remove());

it("the members of a type in a comment have its descriptions", () => {
  project = projectFolder(
    {
      "package.json": JSON.stringify({ name: "trips", version: "1.0.0", type: "module" }),
      "tsconfig.json": tsconfig({ allowJs: true }),
      "src/person.js": `/**
 * @typedef {object} Person
 * @property {string} name - The name
 *   in the passport.
 * @property {number} [age] Years
 * @property {object} home
 * @property {string} home.city The city, as in \`Oslo\`
 */
export {};
`,
      "src/tools.ts": `import { Tool } from "@tenon/runtime";
import type { Person } from "./person.js";
export class Tools {
  /** Books a trip. */
  @Tool() book(person: Person): void {}
}
`,
    },
    ["@tenon", "@types", "reflect-metadata", "undici-types"],
  );
  const { diagnostics, manifest } = compile({ root: project.root });
  expect(diagnostics).toEqual([]);
  const [tool] = (manifest as { tools: { definition: { inputSchema?: unknown } }[] }).tools;
  expect(tool?.definition.inputSchema).toMatchObject({
    properties: {
      name: { type: "string", description: "The name\nin the passport." },
      age: { type: "number", description: "Years" },
      home: { properties: { city: { type: "string", description: "The city, as in `Oslo`" } } },
    },
  });
});

it("a class in JavaScript has the members that its constructor assigns, except private ones and methods", () => {
  project = projectFolder(
    {
      "package.json": JSON.stringify({ name: "accounts", version: "1.0.0", type: "module" }),
      "tsconfig.json": tsconfig({ allowJs: true, checkJs: true }),
      "src/account.js": `export class Account {
  /** @private */
  pin = 1234;
  constructor() {
    /** @type {string} */
    this.owner = "Ada";
    /** @private */
    this.hash = "5f4d";
    /** @protected */
    this["key"] = "k";
    this.close = () => {};
  }
  get label() { return this.owner; }
  /** @private */
  get proof() { return this.hash + this.key + this.pin; }
}
`,
      "src/tools.ts": `import { Tool } from "@tenon/runtime";
import { Account } from "./account.js";
export class Tools {
  /** Returns an account. */
  @Tool() find(): Account { return new Account(); }
}
`,
    },
    ["@tenon", "@types", "reflect-metadata", "undici-types"],
  );
  const { diagnostics, manifest } = compile({ root: project.root });
  expect(diagnostics).toEqual([]);
  const [tool] = (manifest as { tools: { definition: { outputSchema?: unknown } }[] }).tools;
  expect(tool?.definition.outputSchema).toEqual({
    type: "object",
    properties: { owner: { type: "string" }, label: { type: "string" } },
    required: ["owner", "label"],
  });
});
