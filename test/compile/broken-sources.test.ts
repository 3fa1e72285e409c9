import { afterAll, expect, it } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("broken-sources");
afterAll(() => project.remove());

/** What TypeScript objects to must not keep the compiler from coming to an end. */
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
    "a class that extends nothing known",
    `export class A extends Nope<string> { @Tool() a(): string { return ""; } }`,
    "TS2304",
  ],
  [
    "options made of themselves",
    `const o = { ...o, name: "x" }; export class A { @Tool(o) a(): string { return ""; } }`,
    "TS7022",
  ],
  [
    "exports of what is not there",
    `export { missing }; export * from "./nowhere.js"; export class A { @Tool() a(): string { return ""; } }`,
    "TS2304",
  ],
  ["decorators that are no names", `export class A { @[Tool][0]!() a(): string { return ""; } }`, "TS1240"],
  [
    "decorators that break off",
    `export class A { @Tool( a(): string { return ""; } @Tool({ name: }) b() {} @ c() {} }`,
    "TS1005",
  ],
  [
    "calls of nothing known",
    `export class A { @Tool() a(): string { elicit(); super.elicit<{ a: string }>("x"); return ""; } }`,
    "TS2304",
  ],
])("%s", (_, source, error) => {
  for (const file of ["src/a.ts", "src/server.ts"]) {
    const { manifest, diagnostics } = project.compile({
      [file]: `import { Tool } from "@tenon/runtime";\n${source}`,
    });
    expect(manifest).toBeDefined();
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(`(${error})`);
  }
});
