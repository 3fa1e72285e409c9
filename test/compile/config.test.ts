import type { Compilation } from "@tenon/compiler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

let project: ScratchProject;
beforeAll(() => {
  project = createScratchProject("config");
});
afterAll(() => project.remove());

const STORE = `
  import { Tool } from "@tenon/runtime";
  export class Store {
    constructor(private readonly path: string) {}
    /** Read a key. */
    @Tool() get(key: string): string { return this.path + key; }
  }`;

function compiled(server: string): Compilation {
  const imports = `import { defineServer, type ServerConfig } from "@tenon/runtime"; import { Store } from "./store.js";`;
  return project.compile({ "src/store.ts": STORE, "src/server.ts": `${imports}\n${server}` });
}

const codes = ({ diagnostics }: Compilation): string[] => diagnostics.map(({ code }) => code);

describe("the profile is read", () => {
  const PROVIDED = `provide: [new Store("/")]`;

  it.each([
    ["by a quoted name", `export default defineServer({ "profile": "gemini", ${PROVIDED} });`],
    ["by a computed name", `export default defineServer({ ["profile"]: "gemini", ${PROVIDED} });`],
    ["by a short name", `const profile = "gemini"; export default defineServer({ profile, ${PROVIDED} });`],
    [
      "from a spread",
      `const base = { profile: "gemini" } as const; export default defineServer({ ...base, ${PROVIDED} });`,
    ],
    [
      "from the last of two",
      `const base = { profile: "portable" } as const; export default defineServer({ ...base, profile: "gemini", ${PROVIDED} });`,
    ],
    [
      "from a constant object",
      `const config: ServerConfig = { profile: "gemini", ${PROVIDED} }; export default defineServer(config);`,
    ],
    [
      "from a variable",
      `const server = defineServer({ profile: "gemini", ${PROVIDED} }); export default server;`,
    ],
    [
      "from an export by name",
      `const server = defineServer({ profile: "gemini", ${PROVIDED} }); export { server as default };`,
    ],
    [
      "behind a type",
      `export default (defineServer({ profile: "gemini", ${PROVIDED} }) satisfies ServerConfig);`,
    ],
  ])("%s", (_, server) => {
    const compilation = compiled(server);
    expect(codes(compilation)).toEqual([]);
    expect(compilation.profile).toBe("gemini");
  });

  it.each([
    [
      "it is known at run time only",
      `const profile = process.argv.length > 2 ? "gemini" : "portable"; export default defineServer({ profile, ${PROVIDED} });`,
    ],
    [
      "a spread brings one that is known at run time only",
      `const base = () => ({ profile: "gemini" as const }); export default defineServer({ ...base(), ${PROVIDED} });`,
    ],
  ])("or refused where %s", (_, server) => {
    expect(codes(compiled(server))).toEqual(["config-profile-invalid"]);
  });

  it("unless a spread may or may not bring one", () => {
    const server = `const base = (): ServerConfig => ({}); export default defineServer({ ...base(), ${PROVIDED} });`;
    expect(codes(compiled(server))).toEqual([]);
  });
});

describe("instances are provided", () => {
  it.each([
    ["in an array", `export default defineServer({ provide: [new Store("/")] });`],
    ["by a quoted name", `export default defineServer({ "provide": [new Store("/")] });`],
    [
      "in an array of another name",
      `const stores = [new Store("/")]; export default defineServer({ provide: stores });`,
    ],
    ["by a short name", `const provide = [new Store("/")]; export default defineServer({ provide });`],
    [
      "in an array that is spread",
      `const stores = [new Store("/")]; export default defineServer({ provide: [...stores] });`,
    ],
    [
      "in an object that is spread",
      `const base = { provide: [new Store("/")] }; export default defineServer({ ...base, name: "keys" });`,
    ],
    [
      "where the source does not tell",
      `const stores = (): object[] => [new Store("/")]; export default defineServer({ provide: [...stores()] });`,
    ],
    [
      "in what only the type tells of",
      `const base = (): ServerConfig => ({ provide: [new Store("/")] }); export default defineServer({ ...base() });`,
    ],
    [
      "by something else",
      `const config = (): ServerConfig => ({ provide: [new Store("/")] }); export default defineServer(config());`,
    ],
  ])("%s", (_, server) => {
    expect(codes(compiled(server))).toEqual([]);
  });

  it.each([
    ["nothing is", `export default defineServer({ name: "keys" });`],
    ["others are", `class Other {} export default defineServer({ provide: [...[new Other()]] });`],
    [
      "they are replaced",
      `const base = { provide: [new Store("/")] }; export default defineServer({ ...base, provide: [] });`,
    ],
    [
      "a spread brings nothing of the kind",
      `const base = () => ({ name: "keys" }); export default defineServer({ ...base() });`,
    ],
  ])("and asked for where %s", (_, server) => {
    expect(codes(compiled(server))).toEqual(["class-needs-provide"]);
  });
});

it("what a spread says of the server is in the manifest", () => {
  const { manifest } = compiled(
    `const base = { name: "base", "title": "Keys", instructions: "Read keys." };
     export default defineServer({ ...base, name: "keys", provide: [new Store("/")] });`,
  );
  expect(manifest?.server).toMatchObject({ name: "keys", title: "Keys" });
  expect(manifest?.instructions).toBe("Read keys.");
});

it("a class that src/server.ts exports by default is no configuration", () => {
  const { manifest, diagnostics } = compiled(
    `import { Tool } from "@tenon/runtime";
     export default class Clock {
       /** The time. */
       @Tool() time(): string { return new Store("/").get("time"); }
     }`,
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["class-needs-provide"]);
  expect(manifest?.tools.map(({ definition }) => definition.name)).toEqual(["time"]);
});
