import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

let project: ScratchProject;
beforeAll(() => {
  project = createScratchProject("erasable-decorators");
});
afterAll(() => project.remove());

const NAMES = ["Prompt", "Resource", "Tool", "UrlElicitationRequiredError", "Context"];

function compiled(body: string, more: Record<string, string> = {}) {
  const names = NAMES.filter((each) => new RegExp(`\\b${each}\\b`).test(body)).join(", ");
  const source = `
    import { ${names} } from "@tenon/runtime";
    const name = "plain";
    export class Subject {
      ${body}
    }`;
  return project.compile({ "src/subject.ts": source, ...more });
}

describe("the author's sources are bundled without a decorator", () => {
  const replacements = (decorator: string): { text: string; length: number }[] => {
    const { sourceEdits } = compiled(`${decorator} go(): string { return name; }`);
    const edits = sourceEdits?.get("src/subject.ts") ?? [];
    return edits.map(({ start, end, text }) => ({ text, length: end - start }));
  };

  it.each(['@Tool({ readOnly: true, icons: [{ src: "a:b" }] })', '@Tool({\n  title: "Go",\n})'])(
    "that says nothing but what the manifest holds, and everything else stays where it is: %j",
    (decorator) => {
      const blank = decorator.replaceAll(/[^\n]/g, " ");
      expect(replacements(decorator)).toEqual([{ text: blank, length: decorator.length }]);
    },
  );

  it.each([
    ["of behaviour", "@Tool({ enabled: () => true })"],
    ["of something named elsewhere", "@Tool({ title: name })"],
    ["of data that the server reads", '@Resource("a://b", { cache: { ttlMs: 60 * 1000 } })'],
  ])("but not one %s", (_, decorator) => {
    expect(compiled(`${decorator} go(): string { return name; }`).emit).toBeDefined();
    expect(replacements(decorator)).toEqual([]);
  });
});

it("a decorator of what overrides a method stays: behaviour that was recorded for that one would be its own otherwise", () => {
  const source = `import { Tool } from "@tenon/runtime";
    abstract class Base {
      /** Go. */ @Tool({ enabled: () => false }) go(): string { return ""; }
      /** Stop. */ @Tool({ enabled: () => false }) static stop(): string { return ""; }
    }
    export class Derived extends Base {
      /** Go. */ @Tool() override go(): string { return ""; }
      /** Stop. */ @Tool({}) static override stop(): string { return ""; }
      /** Wait. */ @Tool({ title: "Wait" }) wait(): string { return ""; }
    }`;
  const { diagnostics, sourceEdits } = project.compile({ "src/subject.ts": source });
  expect(diagnostics).toEqual([]);
  const edits = sourceEdits?.get("src/subject.ts") ?? [];
  expect(edits.map(({ start, end }) => source.slice(start, end))).toEqual(['@Tool({ title: "Wait" })']);
});

it("a decorator that two classes inherit goes once, and one with a prefix goes, too", () => {
  const source = `import { Tool } from "@tenon/runtime";
    abstract class Base { /** Go. */ @Tool() go(): string { return ""; } }
    export class First extends Base {}
    @Tool({ prefix: "second_" }) export class Second extends Base {}`;
  const { diagnostics, sourceEdits } = project.compile({ "src/subject.ts": source });
  expect(diagnostics).toEqual([]);
  const edits = sourceEdits?.get("src/subject.ts") ?? [];
  expect(edits.map(({ start, end }) => source.slice(start, end))).toEqual([
    "@Tool()",
    '@Tool({ prefix: "second_" })',
  ]);
});
