import { afterAll, describe, expect, it } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("broken-sources");
afterAll(() => project.remove());

/** Sources that TypeScript rejects must not keep the compiler from finishing. */
it.each([
  [
    "a class that extends itself",
    `export class A extends A { @Tool() a(): string { return ""; } }`,
    "TS2506",
  ],
  [
    "classes that extend each other",
    `export abstract class A extends B { @Tool() a(): string { return ""; } }
     export abstract class B extends A {}
     export class C extends A {}`,
    "TS2506",
  ],
  [
    "a class that extends an unknown class",
    `export class A extends Nope<string> { @Tool() a(): string { return ""; } }`,
    "TS2304",
  ],
  [
    "options that refer to themselves",
    `const o = { ...o, name: "x" }; export class A { @Tool(o) a(): string { return ""; } }`,
    "TS7022",
  ],
  [
    "exports that do not exist",
    `export { missing }; export * from "./nowhere.js"; export class A { @Tool() a(): string { return ""; } }`,
    "TS2304",
  ],
  [
    "decorators that are not names",
    `export class A { @(nothing[0]!()) a(): string { return ""; } }`,
    "TS2304",
  ],
  ...["A['x']", "A[][number]", "Awaited<A>", "Exclude<A, null>", "Partial<A>", "ReturnType<() => A>"].map(
    (type) => [
      `a type that is its own ${type}`,
      `type A = ${type}; export class C { @Tool() c(a: A, list: A[]): string { return String([a, list]); } }`,
      "TS2456",
    ],
  ),
  [
    "calls to unknown functions",
    `export class A { @Tool() a(): string { elicit(); super.elicit<{ a: string }>("x"); return ""; } }`,
    "TS2304",
  ],
])("the compiler finishes for %s", (_, source, error) => {
  for (const file of ["src/a.ts", "src/server.ts"]) {
    const { manifest, diagnostics } = project.compile({
      [file]: `import { Tool } from "@tenon/runtime";\n${source}`,
    });
    expect(manifest).toBeDefined();
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(`(${error})`);
  }
});

describe("a syntax error", () => {
  const tools = `import { Tool } from "@tenon/runtime";
export class Tools {
  /** Add. */
  @Tool() add(a: number, b: number): number { return a + b; }
  /** Subtract. */
  @Tool() subtract(a: number, b: number): number { return a - b; }
}
`;

  it.each([
    ["a stray parenthesis", tools.replace("add(a", "add((a")],
    ["an unfinished decorator", tools.replace("@Tool()", "@Tool(")],
    ["unfinished options", tools.replace("@Tool()", "@Tool({ name: })")],
    ["an extra brace", tools.replace("a + b; }", "a + b; }}")],
    ["a missing brace", tools.replace("a + b; }", "a + b; ")],
    ["a string without an end", tools.replace("a + b", '"a + b')],
  ])("suppresses its consequences: %s", (_, source) => {
    const user = `import { Tools } from "./tools.js"; const tools: Tools = 1; export const { nothing } = tools;`;
    const { manifest, diagnostics } = project.compile({ "src/tools.ts": source, "src/user.ts": user });
    expect(manifest).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "typescript", span: { file: "src/tools.ts" } }]);
  });

  it("is reported for each file", () => {
    const { diagnostics } = project.compile({ "src/a.ts": "export const = 1;", "src/b.ts": "const }" });
    expect(diagnostics.map(({ span }) => span?.file)).toEqual(["src/a.ts", "src/b.ts"]);
  });

  it("in a test hides only that test's type errors", () => {
    const { manifest, diagnostics } = project.compile({
      "src/tools.ts": tools.replace("a + b", '"a"'),
      "src/tools.test.ts": "const = 1; const a: string = 2;",
    });
    expect(manifest?.tools).toHaveLength(2);
    expect(diagnostics.map(({ span }) => span?.file)).toEqual(["src/tools.test.ts", "src/tools.ts"]);
  });
});
