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

function compileServer(server: string): Compilation {
  const imports = `import { defineServer, type ServerConfig } from "@tenon/runtime"; import { Store } from "./store.js";`;
  return project.compile({ "src/store.ts": STORE, "src/server.ts": `${imports}\n${server}` });
}

const codes = ({ diagnostics }: Compilation): string[] => diagnostics.map(({ code }) => code);

describe("the profile in the configuration", () => {
  const PROVIDED = `provide: [new Store("/")]`;

  it("may be undefined, like the dialects", () => {
    const server = `export default defineServer({ profile: undefined, dialects: undefined, ${PROVIDED} });`;
    const compilation = compileServer(server);
    expect(codes(compilation)).toEqual([]);
    expect(compilation.profile).toBe("portable");
  });

  it.each([
    ["as a quoted property", `export default defineServer({ "profile": "gemini", ${PROVIDED} });`],
    ["as a computed property", `export default defineServer({ ["profile"]: "gemini", ${PROVIDED} });`],
    [
      "as a shorthand property",
      `const profile = "gemini"; export default defineServer({ profile, ${PROVIDED} });`,
    ],
    [
      "from a spread",
      `const base = { profile: "gemini" } as const; export default defineServer({ ...base, ${PROVIDED} });`,
    ],
    [
      "from the last of two values",
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
      "from an export specifier",
      `const server = defineServer({ profile: "gemini", ${PROVIDED} }); export { server as default };`,
    ],
    [
      "from an expression with `satisfies`",
      `export default (defineServer({ profile: "gemini", ${PROVIDED} }) satisfies ServerConfig);`,
    ],
  ])("is read: %s", (_, server) => {
    const compilation = compileServer(server);
    expect(codes(compilation)).toEqual([]);
    expect(compilation.profile).toBe("gemini");
  });

  it.each([
    [
      "its value is known only at run time",
      `const profile = process.argv.length > 2 ? "gemini" : "portable"; export default defineServer({ profile, ${PROVIDED} });`,
    ],
    [
      "a spread contains a value that is known only at run time",
      `const base = () => ({ profile: "gemini" as const }); export default defineServer({ ...base(), ${PROVIDED} });`,
    ],
  ])("is rejected if %s", (_, server) => {
    expect(codes(compileServer(server))).toEqual(["config-profile-invalid"]);
  });

  it("is accepted next to a spread, unless the spread may contain one", () => {
    const server = `const base = (): ServerConfig => ({}); export default defineServer({ ...base(), ${PROVIDED} });`;
    expect(codes(compileServer(server))).toEqual([]);
  });
});

describe("provided instances", () => {
  it.each([
    ["in an array", `export default defineServer({ provide: [new Store("/")] });`],
    ["as a quoted property", `export default defineServer({ "provide": [new Store("/")] });`],
    [
      "in an array variable",
      `const stores = [new Store("/")]; export default defineServer({ provide: stores });`,
    ],
    [
      "as a shorthand property",
      `const provide = [new Store("/")]; export default defineServer({ provide });`,
    ],
    [
      "in a spread array",
      `const stores = [new Store("/")]; export default defineServer({ provide: [...stores] });`,
    ],
    [
      "in a spread object",
      `const base = { provide: [new Store("/")] }; export default defineServer({ ...base, name: "keys" });`,
    ],
    [
      "in the array that a function returns",
      `const stores = (): object[] => [new Store("/")]; export default defineServer({ provide: [...stores()] });`,
    ],
    [
      "in a spread object of which only the type is known",
      `const base = (): ServerConfig => ({ provide: [new Store("/")] }); export default defineServer({ ...base() });`,
    ],
    [
      "in the configuration that a function returns",
      `const config = (): ServerConfig => ({ provide: [new Store("/")] }); export default defineServer(config());`,
    ],
  ])("are found: %s", (_, server) => {
    expect(codes(compileServer(server))).toEqual([]);
  });

  it.each([
    ["nothing is provided", `export default defineServer({ name: "keys" });`],
    [
      "only other instances are provided",
      `class Other {} export default defineServer({ provide: [...[new Other()]] });`,
    ],
    [
      "a later property replaces them",
      `const base = { provide: [new Store("/")] }; export default defineServer({ ...base, provide: [] });`,
    ],
    [
      "a spread provides none",
      `const base = () => ({ name: "keys" }); export default defineServer({ ...base() });`,
    ],
  ])("are required if %s", (_, server) => {
    expect(codes(compileServer(server))).toEqual(["class-needs-provide"]);
  });
});

it("the server options in a spread appear in the manifest", () => {
  const { manifest } = compileServer(
    `const base = { name: "base", "title": "Keys", instructions: "Read keys." };
     export default defineServer({ ...base, name: "keys", provide: [new Store("/")] });`,
  );
  expect(manifest?.server).toMatchObject({ name: "keys", title: "Keys" });
  expect(manifest?.instructions).toBe("Read keys.");
});

it("a class that is the default export of src/server.ts is not a configuration", () => {
  const { manifest, diagnostics } = compileServer(
    `import { Tool } from "@tenon/runtime";
     export default class Clock {
       /** The time. */
       @Tool() time(): string { return new Store("/").get("time"); }
     }`,
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["class-needs-provide"]);
  expect(manifest?.tools.map(({ definition }) => definition.name)).toEqual(["time"]);
});

describe("`auth` in the configuration", () => {
  const IMPORTS = `import { apiKeys, type Auth } from "@tenon/runtime/auth"; const key = process.env["KEY"];`;
  const KEYS = `apiKeys({ [key ?? ""]: "ada" })`;

  it.each([
    ["a conditional expression", `{ auth: key ? ${KEYS} : undefined, provide: [new Store("/")] }`],
    ["`&&`", `{ auth: (key && ${KEYS}) || undefined, provide: [new Store("/")] }`],
    ["a function", `{ auth: create(), provide: [new Store("/")] }`],
    ["a conditional spread", `{ ...(key !== undefined && { auth: ${KEYS} }), provide: [new Store("/")] }`],
    ["a constant", `{ auth: chosen, provide: [new Store("/")] }`],
    ["a configuration with a declared type", `declared`],
  ])("is conditional if it comes from %s that may be undefined", (_, config) => {
    const { manifest, diagnostics } = compileServer(`${IMPORTS}
      function create(): Auth | undefined { return key ? ${KEYS} : undefined; }
      const chosen = key ? ${KEYS} : undefined;
      const declared = config();
      function config(): ServerConfig { return { auth: chosen, provide: [new Store("/")] }; }
      export default defineServer(${config});
      void [create, chosen, declared];`);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(manifest?.auth).toEqual({ conditional: true });
  });

  it.each([
    ["a call", `${KEYS}`],
    ["a conditional expression of two", `key ? ${KEYS} : apiKeys({ "a-key-of-ada-0123456789": "ada" })`],
    ["a fallback", `create() ?? ${KEYS}`],
  ])("is not conditional if it comes from %s", (_, auth) => {
    const { manifest } = compileServer(`${IMPORTS}
      function create(): Auth | undefined { return undefined; }
      export default defineServer({ auth: ${auth}, provide: [new Store("/")] });
      void create;`);
    expect(manifest?.auth).toEqual({});
  });

  it("is absent if it is undefined", () => {
    expect(compileServer(`export default defineServer({ auth: undefined });`).manifest?.auth).toBeUndefined();
  });
});
