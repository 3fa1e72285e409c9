import { createCompiler, renderDiagnostic, type Compilation } from "@tenon/compiler";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("everything-read");
afterAll(() => project.remove());

const IMPORTS = `import { Prompt, Resource, Tool, defineServer } from "@tenon/runtime";
import * as tenon from "@tenon/runtime";\n`;
const ADD = `/** Add. */ @Tool() add(): string { return ""; }`;

function outcome({ manifest, diagnostics }: Compilation): { served: string[]; codes: string[] } {
  return {
    served: manifest?.tools.map(({ definition }) => definition.name) ?? [],
    codes: diagnostics.map(({ code }) => code).filter((code) => code !== "server-empty"),
  };
}

describe("a decorated declaration is served", () => {
  it.each([
    ["a class", `export class A { ${ADD} }`],
    ["a class exported by another statement", `class A { ${ADD} } export { A as B };`],
    ["a default export", `export default class { ${ADD} }`],
    ["a class expression", `export const A = class { ${ADD} };`],
    ["a class expression with a type assertion", `export const A = class { ${ADD} } as new () => object;`],
    ["a class expression as default export", `export default (class { ${ADD} });`],
    ["a constant that names a class", `class A { ${ADD} } export const B = A;`],
    ["a base", `abstract class A { ${ADD} } export class B extends A {}`],
    ["a base of a base", `abstract class A { ${ADD} } class B extends A {} export class C extends B {}`],
    ["a base that is a class expression", `const A = class { ${ADD} }; export class B extends A {}`],
    ["an inline base class", `export class B extends class { ${ADD} } {}`],
    [
      "a mixin",
      `const mix = <T extends new (...a: any[]) => object>(base: T) => class extends base { ${ADD} };
       export class B extends mix(Object) {}`,
    ],
    [
      "an override",
      `abstract class A { ${ADD} } export class B extends A { override add() { return "b"; } }`,
    ],
    [
      "an override with a quoted name",
      `abstract class A { ${ADD} } export class B extends A { override "add"() { return "b"; } }`,
    ],
    [
      "an override with a constant name",
      `const NAME = "add"; abstract class A { ${ADD} } export class B extends A { override [NAME]() { return "b"; } }`,
    ],
    [
      "an override in a mixin",
      `const mix = <T extends new (...a: any[]) => A>(base: T) => class extends base { override add() { return "b"; } };
       class A { ${ADD} } export class B extends mix(A) {}`,
    ],
    ["a method with a quoted name", `export class A { /** Add. */ @Tool() "add"(): string { return ""; } }`],
    [
      "a method with a literal name",
      `export class A { /** Add. */ @Tool() ["add"](): string { return ""; } }`,
    ],
    [
      "a method with a constant name",
      `const NAME = "add"; export class A { /** Add. */ @Tool() [NAME](): string { return ""; } }`,
    ],
    [
      "a method with a computed name that is constant",
      "export class A { /** Add. */ @Tool() [`a${'dd'}`](): string { return ''; } }",
    ],
    ["a static method", `export class A { /** Add. */ @Tool() static add(): string { return ""; } }`],
    ["a class with a static block", `export class A { static { void 0; } ${ADD} static { void 0; } }`],
    [
      "a base with a static block",
      `abstract class A { static { void 0; } ${ADD} } export class B extends A { static { void 0; } }`,
    ],
    [
      "a member of a namespace import",
      `export class A { /** Add. */ @tenon.Tool() add(): string { return ""; } }`,
    ],
    ["an element access", `export class A { /** Add. */ @(tenon["Tool"]()) add(): string { return ""; } }`],
    ["a constant", `const mine = Tool(); export class A { /** Add. */ @mine add(): string { return ""; } }`],
    [
      "a function",
      `function mine() { return Tool(); } export class A { /** Add. */ @mine() add(): string { return ""; } }`,
    ],
    [
      "a function with parameters",
      `const mine = (_: string) => Tool(); export class A { /** Add. */ @mine("x") add(): string { return ""; } }`,
    ],
  ])("if written as %s", (_, source) => {
    expect(outcome(project.compile({ "src/a.ts": IMPORTS + source }))).toEqual({
      served: ["add"],
      codes: [],
    });
  });
});

describe("a declaration that cannot be served is reported", () => {
  it.each([
    ["a class that is not exported", `class A { ${ADD} } new A();`, "class-not-exported"],
    ["a class expression that is not exported", `const A = class { ${ADD} }; new A();`, "class-not-exported"],
    ["an exported instance", `class A { ${ADD} } export const a = new A();`, "class-not-exported"],
    ["a class in a block", `{ class A { ${ADD} } new A(); }`, "class-nested"],
    ["a class in a namespace", `export namespace N { export class A { ${ADD} } }`, "class-nested"],
    ["a function", `export function make() { return class { ${ADD} }; }`, "class-nested"],
    ["a list", `export const all = [class { ${ADD} }];`, "class-nested"],
    ["a class in another class", `export class Outer { static A = class { ${ADD} }; }`, "class-nested"],
    [
      "a mixin whose result is a constant",
      `const mix = (base: new () => object) => class extends base { ${ADD} }; export const A = mix(Object);`,
      "class-nested",
    ],
    [
      "an abstract class that is never extended",
      `export abstract class A { ${ADD} }`,
      "class-never-extended",
    ],
    [
      "an abstract method",
      `export abstract class A { @Tool() abstract add(): string; }`,
      "handler-without-body",
    ],
    [
      "a class decorator on a base",
      `@Tool() abstract class A { abstract call(): string } export class B extends A { call() { return ""; } }`,
      "class-decorator-abstract",
    ],
    ["a field", `export class A { @Tool() add = (): string => ""; }`, "handler-not-a-method"],
    ["an accessor", `export class A { @Tool() get add(): string { return ""; } }`, "handler-not-a-method"],
    ["a parameter", `export class A { add(@Tool() a: string): string { return a; } }`, "decorator-misplaced"],
    [
      "a decorator called as a function",
      `export class A { add() {} } Tool()(A.prototype, "add");`,
      "decorator-as-value",
    ],
    ["a decorator used as a value", `export const decorators = { Tool };`, "decorator-as-value"],
    ["a decorator from an array", `export class A { @([Tool][0]!()) add() {} }`, "decorator-as-value"],
    [
      "a decorator in a variable",
      `let Mine = Tool; export class A { @Mine() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a renamed destructured decorator",
      `const { Tool: Mine } = tenon; export class A { @Mine() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a destructured decorator",
      `{ const { Tool } = tenon; class A { @Tool() add() {} } }`,
      "decorator-as-value",
    ],
    [
      "a decorator factory with several statements",
      `function mine() { const made = Tool(); return made; } export class A { @mine() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a method that returns a decorator",
      `class Make { static tool() { return Tool(); } } export class A { @Make.tool() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a factory's decorator on a class that is not exported",
      `const mine = () => Tool(); class A { @mine() add() {} } new A();`,
      "class-not-exported",
    ],
    ["a decorator factory that is not used", `export const mine = () => Tool();`, "decorator-as-value"],
    [
      "options that are parameters of a decorator factory",
      `const mine = (name: string) => Tool({ name }); export class A { @mine("x") add() {} }`,
      "decorator-option-not-constant",
    ],
    ["a configuration in another file", `export default defineServer({ name: "a" });`, "config-ignored"],
    ["a configuration as a value", `export const configure = defineServer;`, "config-ignored"],
  ])("for %s", (_, source, code) => {
    const { served, codes } = outcome(project.compile({ "src/a.ts": IMPORTS + source }));
    expect(served).toEqual([]);
    expect(codes).toContain(code);
  });

  it("under any imported name", () => {
    const compilation = project.compile({
      "src/first.ts": `export { Tool as Second } from "@tenon/runtime";`,
      "src/second.ts": `export { Second as Third } from "./first.js";`,
      "src/a.ts": `import { Third as Fourth } from "./second.js";
        export class A { /** Add. */ @Fourth() add(): string { return ""; } }
        class B { /** Subtract. */ @Fourth() subtract(): string { return ""; } } new B();`,
    });
    expect(outcome(compilation)).toEqual({ served: ["add"], codes: ["class-not-exported"] });
  });

  it("unless only a type refers to the decorator", () => {
    const source = `export class A { ${ADD} } export type Options = Parameters<typeof Tool>[0];`;
    expect(outcome(project.compile({ "src/a.ts": IMPORTS + source }))).toEqual({
      served: ["add"],
      codes: [],
    });
  });
});

describe("a file outside src/", () => {
  let folder: ProjectFolder | undefined;
  afterEach(() => folder?.remove());

  const base = `import { Tool } from "@tenon/runtime";
export class Base {
  /** Adds. */
  @Tool() add(): string { return ""; }
}
`;
  function compileFolder(files: Record<string, string>): Compilation {
    folder = projectFolder({ "lib/base.ts": base, ...files });
    return createCompiler({ root: folder.root }).compile();
  }

  it("is reported if the server uses it: class-outside-src", () => {
    const { diagnostics } = compileFolder({ "src/a.ts": `export { Base } from "../lib/base.js";` });
    expect(diagnostics.map((each) => renderDiagnostic(each)).join("\n")).toMatchInlineSnapshot(`
      "lib/base.ts:2:14  error  class-outside-src
        \`Base\` has decorated members, but its file is not under src/, so none of them is served.

         1 │ import { Tool } from "@tenon/runtime";
       > 2 │ export class Base {
           │              ^^^^
         3 │   /** Adds. */
         4 │   @Tool() add(): string { return ""; }

        hint  Move the file to src/, or extend the class in a file there: \`export class Name extends Base {}\`.
      "
    `);
  });

  it("may contain the base class of a served class", () => {
    const source = `import { Base } from "../lib/base.js"; export class A extends Base {}`;
    expect(outcome(compileFolder({ "src/a.ts": source }))).toEqual({ served: ["add"], codes: [] });
  });

  it("is ignored in another package, unless the server names it", () => {
    const workspace = projectFolder({
      "packages/tools/index.ts": `${base}export class Other { /** Adds. */ @Tool() other(): string { return ""; } }\n`,
      "packages/server/package.json": JSON.stringify({ name: "server", version: "1.0.0", type: "module" }),
      "packages/server/tsconfig.json": tsconfig({}),
    });
    folder = workspace;
    const compileServer = (source: string): Compilation => {
      workspace.write({ "packages/server/src/a.ts": source });
      return createCompiler({ root: `${workspace.root}/packages/server` }).compile();
    };
    const path = "../../tools/index.js";
    const extending = `import { Base } from "${path}"; export class A extends Base {}`;
    expect(outcome(compileServer(extending))).toEqual({ served: ["add"], codes: [] });
    const throughNamespace = `import * as tools from "${path}"; export class A extends tools.Base {}`;
    expect(outcome(compileServer(throughNamespace))).toEqual({ served: ["add"], codes: [] });
    for (const naming of [
      `export { Other } from "${path}";`,
      `export * from "${path}";`,
      `import { Other } from "${path}"; export const other = new Other();`,
      `import * as tools from "${path}"; export const other = new tools.Other();`,
    ]) {
      const { diagnostics } = compileServer(`${extending}\n${naming}`);
      expect(diagnostics.map(({ code, span }) => [code, span?.file])).toEqual([
        ["class-outside-src", "../tools/index.ts"],
      ]);
    }
  });

  it("is ignored if nothing imports it", () => {
    const source = `import { Tool } from "@tenon/runtime"; export class A { ${ADD} }`;
    expect(outcome(compileFolder({ "src/a.ts": source, "src/a.test.ts": base, "test/b.ts": base }))).toEqual({
      served: ["add"],
      codes: [],
    });
  });
});

describe("an override of a method that its base class serves", () => {
  const BASE = `export class A { ${ADD} }`;
  const OVERRIDE = `override add() { return "b"; }`;
  const config = (...provided: string[]): string =>
    `export default defineServer({ provide: [${provided.map((each) => `new ${each}()`).join(", ")}] });`;

  it.each([
    ["a method", `${BASE} export class B extends A { ${OVERRIDE} }`],
    ["an arrow function", `${BASE} export class B extends A { override add = () => "b"; }`],
    [
      "a parameter property",
      `${BASE} export class B extends A { constructor(override add = () => "b") { super(); } }`,
    ],
    [
      "a static method",
      `export class A { /** Add. */ @Tool() static add() { return ""; } } export class B extends A { static ${OVERRIDE} }`,
    ],
    ["a quoted name", `${BASE} export class B extends A { override "add"() { return "b"; } }`],
    ["a base between them", `${BASE} class M extends A { ${OVERRIDE} } export class B extends M {}`],
    [
      "a base between two classes",
      `${BASE} class M extends A { ${OVERRIDE} } export class B extends M {} export class C extends M {}`,
    ],
    [
      "an abstract base between them",
      `${BASE} abstract class M extends A { ${OVERRIDE} } export class B extends M {}`,
    ],
    [
      "a served base between them",
      `${BASE} export class M extends A {} export class B extends M { ${OVERRIDE} }`,
    ],
    [
      "an abstract base of the base",
      `abstract class R { ${ADD} } export class A extends R {} export class B extends A { ${OVERRIDE} }`,
    ],
    [
      "a mixin",
      `${BASE} const mix = <T extends new (...a: any[]) => A>(base: T) => class extends base { ${OVERRIDE} };
       export class B extends mix(A) {}`,
    ],
    [
      "a decorated class",
      `/** Add. */ @Tool({ name: "add" }) export class A { call() { return ""; } } export class B extends A { override call() { return "b"; } }`,
    ],
    [
      "a class with its own tools",
      `${BASE} export class B extends A { ${OVERRIDE} /** Go. */ @Prompt() go() { return "go"; } }`,
    ],
    [
      "another instance in `provide`",
      `${BASE} export class B extends A { ${OVERRIDE} } export class C extends A {}\n`,
      config("C", "B"),
    ],
    ["both instances in `provide`", `${BASE} export class B extends A { ${OVERRIDE} }`, config("B", "A")],
  ])("is reported once if it is in %s", (_, source, server = "") => {
    const imports = `${IMPORTS}import { ${source
      .match(/export class \w/g)
      ?.map((each) => each.at(-1))
      .join(", ")} } from "./a.js";`;
    const files = {
      "src/a.ts": IMPORTS + source,
      ...(server && { "src/server.ts": `${imports}\n${server}` }),
    };
    expect(outcome(project.compile(files))).toEqual({ served: ["add"], codes: ["handler-override-ignored"] });
  });

  it.each([
    ["its base is not exported", `class A { ${ADD} } export class B extends A { ${OVERRIDE} }`, ["add"]],
    [
      "it is decorated",
      `${BASE} export class B extends A { /** B. */ @Tool({ name: "b" }) ${OVERRIDE} }`,
      ["add", "b"],
    ],
    [
      "a different method is decorated",
      `${BASE} export class B extends A { static add() { return "b"; } }`,
      ["add"],
    ],
    [
      "its own class is decorated",
      `/** Add. */ @Tool({ name: "add" }) export class A { call() { return ""; } }
      /** B. */ @Tool({ name: "b" }) export class B extends A { override call() { return "b"; } }`,
      ["add", "b"],
    ],
    ["it declares only a type", `${BASE} export class B extends A { declare add: () => "b"; }`, ["add"]],
    ["no served class inherits it", `${BASE} class B extends A { ${OVERRIDE} } new B();`, ["add"]],
    [
      "`provide` contains its instance",
      `${BASE} export class B extends A { ${OVERRIDE} }`,
      ["add"],
      config("B"),
    ],
    [
      "`provide` contains an instance that inherits it",
      `${BASE} export class M extends A { ${OVERRIDE} } export class B extends M {}`,
      ["add"],
      config("B"),
    ],
  ])("is not reported if %s", (_, source, served, server = "") => {
    const imports = `${IMPORTS}import { ${source
      .match(/export class \w/g)
      ?.map((each) => each.at(-1))
      .join(", ")} } from "./a.js";`;
    const files = {
      "src/a.ts": IMPORTS + source,
      ...(server && { "src/server.ts": `${imports}\n${server}` }),
    };
    expect(outcome(project.compile(files))).toEqual({ served, codes: [] });
  });
});
