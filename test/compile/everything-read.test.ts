import { createCompiler, renderDiagnostic, type Compilation } from "@tenon/compiler";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
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

describe("whatever the syntax, what is decorated is served", () => {
  it.each([
    ["a class", `export class A { ${ADD} }`],
    ["a class exported by another statement", `class A { ${ADD} } export { A as B };`],
    ["a default export", `export default class { ${ADD} }`],
    ["a class expression", `export const A = class { ${ADD} };`],
    ["a class expression behind a type", `export const A = class { ${ADD} } as new () => object;`],
    ["a class expression as default export", `export default (class { ${ADD} });`],
    ["a constant that names a class", `class A { ${ADD} } export const B = A;`],
    ["a base", `abstract class A { ${ADD} } export class B extends A {}`],
    ["a base of a base", `abstract class A { ${ADD} } class B extends A {} export class C extends B {}`],
    ["a base that is a class expression", `const A = class { ${ADD} }; export class B extends A {}`],
    ["a base in place", `export class B extends class { ${ADD} } {}`],
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
      "an override in a mixin",
      `const mix = <T extends new (...a: any[]) => A>(base: T) => class extends base { override add() { return "b"; } };
       class A { ${ADD} } export class B extends mix(A) {}`,
    ],
    ["a static method", `export class A { /** Add. */ @Tool() static add(): string { return ""; } }`],
    ["a namespace of names", `export class A { /** Add. */ @tenon.Tool() add(): string { return ""; } }`],
    ["a text in brackets", `export class A { /** Add. */ @(tenon["Tool"]()) add(): string { return ""; } }`],
    ["a constant", `const mine = Tool(); export class A { /** Add. */ @mine add(): string { return ""; } }`],
    [
      "a function",
      `function mine() { return Tool(); } export class A { /** Add. */ @mine() add(): string { return ""; } }`,
    ],
    [
      "a function that takes something",
      `const mine = (_: string) => Tool(); export class A { /** Add. */ @mine("x") add(): string { return ""; } }`,
    ],
  ])("by %s", (_, source) => {
    expect(outcome(project.compile({ "src/a.ts": IMPORTS + source }))).toEqual({
      served: ["add"],
      codes: [],
    });
  });
});

describe("or a diagnostic says why not", () => {
  it.each([
    ["not exported", `class A { ${ADD} } new A();`, "class-not-exported"],
    ["a class expression, not exported", `const A = class { ${ADD} }; new A();`, "class-not-exported"],
    ["an instance, exported", `class A { ${ADD} } export const a = new A();`, "class-not-exported"],
    ["a block", `{ class A { ${ADD} } new A(); }`, "class-nested"],
    ["a namespace", `export namespace N { export class A { ${ADD} } }`, "class-nested"],
    ["a function", `export function make() { return class { ${ADD} }; }`, "class-nested"],
    ["a list", `export const all = [class { ${ADD} }];`, "class-nested"],
    ["another class", `export class Outer { static A = class { ${ADD} }; }`, "class-nested"],
    [
      "a mixin whose result is a constant",
      `const mix = (base: new () => object) => class extends base { ${ADD} }; export const A = mix(Object);`,
      "class-nested",
    ],
    ["abstract, and never extended", `export abstract class A { ${ADD} }`, "class-never-extended"],
    [
      "an abstract method",
      `export abstract class A { @Tool() abstract add(): string; }`,
      "handler-without-body",
    ],
    [
      "a class decorator on a base",
      `@Tool() abstract class A { abstract call(): string } export class B extends A { call() { return ""; } }`,
      "class-form-abstract",
    ],
    ["a field", `export class A { @Tool() add = (): string => ""; }`, "handler-not-a-method"],
    ["an accessor", `export class A { @Tool() get add(): string { return ""; } }`, "handler-not-a-method"],
    ["a parameter", `export class A { add(@Tool() a: string): string { return a; } }`, "decorator-misplaced"],
    ["a call by hand", `export class A { add() {} } Tool()(A.prototype, "add");`, "decorator-as-value"],
    ["a value", `export const decorators = { Tool };`, "decorator-as-value"],
    ["an element", `export class A { @([Tool][0]!()) add() {} }`, "decorator-as-value"],
    ["a variable", `let Mine = Tool; export class A { @Mine() add() {} }`, "decorator-as-value"],
    ["a pattern", `const { Tool: Mine } = tenon; export class A { @Mine() add() {} }`, "decorator-as-value"],
    ["a short pattern", `{ const { Tool } = tenon; class A { @Tool() add() {} } }`, "decorator-as-value"],
    [
      "a function that does more",
      `function mine() { const made = Tool(); return made; } export class A { @mine() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a method that makes it",
      `class Make { static tool() { return Tool(); } } export class A { @Make.tool() add() {} }`,
      "decorator-as-value",
    ],
    [
      "a made decorator on what is not exported",
      `const mine = () => Tool(); class A { @mine() add() {} } new A();`,
      "class-not-exported",
    ],
    ["a made decorator that decorates nothing", `export const mine = () => Tool();`, "decorator-as-value"],
    [
      "options that a made decorator takes",
      `const mine = (name: string) => Tool({ name }); export class A { @mine("x") add() {} }`,
      "decorator-option-not-constant",
    ],
    ["a configuration elsewhere", `export default defineServer({ name: "a" });`, "config-not-read"],
    ["a configuration as a value", `export const configure = defineServer;`, "config-not-read"],
  ])("for %s", (_, source, code) => {
    const { served, codes } = outcome(project.compile({ "src/a.ts": IMPORTS + source }));
    expect(served).toEqual([]);
    expect(codes).toContain(code);
  });

  it("whatever the names are on the way", () => {
    const compilation = project.compile({
      "src/first.ts": `export { Tool as Second } from "@tenon/runtime";`,
      "src/second.ts": `export { Second as Third } from "./first.js";`,
      "src/a.ts": `import { Third as Fourth } from "./second.js";
        export class A { /** Add. */ @Fourth() add(): string { return ""; } }
        class B { /** Subtract. */ @Fourth() subtract(): string { return ""; } } new B();`,
    });
    expect(outcome(compilation)).toEqual({ served: ["add"], codes: ["class-not-exported"] });
  });

  it("but not for what only types mention", () => {
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
  function compiled(files: Record<string, string>): Compilation {
    folder = projectFolder({ "lib/base.ts": base, ...files });
    return createCompiler({ root: folder.root }).compile();
  }

  it("is reported when a server is made of it: class-outside-src", () => {
    const { diagnostics } = compiled({ "src/a.ts": `export { Base } from "../lib/base.js";` });
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

  it("may hold a base of what is served", () => {
    const source = `import { Base } from "../lib/base.js"; export class A extends Base {}`;
    expect(outcome(compiled({ "src/a.ts": source }))).toEqual({ served: ["add"], codes: [] });
  });

  it("is nobody's business when nothing imports it", () => {
    const source = `import { Tool } from "@tenon/runtime"; export class A { ${ADD} }`;
    expect(outcome(compiled({ "src/a.ts": source, "src/a.test.ts": base, "test/b.ts": base }))).toEqual({
      served: ["add"],
      codes: [],
    });
  });
});
