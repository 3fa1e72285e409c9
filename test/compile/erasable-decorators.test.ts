import type { SourceEdit, SourceEdits } from "@tenon/compiler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

let project: ScratchProject;
beforeAll(() => {
  project = createScratchProject("erasable-decorators");
});
afterAll(() => project.remove());

const NAMES = ["Prompt", "Resource", "Tool", "UrlElicitationRequiredError", "Context"];

/** Returns the edits that remove code, without those that keep the names of classes. */
function removals(edits: SourceEdits | undefined): readonly SourceEdit[] {
  return (edits?.get("src/subject.ts") ?? []).filter(({ start, end }) => end > start);
}

function compileClass(body: string, more: Record<string, string> = {}) {
  const names = NAMES.filter((each) => new RegExp(`\\b${each}\\b`).test(body)).join(", ");
  const source = `
    import { ${names} } from "@tenon/runtime";
    const name = "plain";
    export class Subject {
      ${body}
    }`;
  return project.compile({ "src/subject.ts": source, ...more });
}

describe("a decorator in the bundled sources", () => {
  const replacements = (decorator: string): { text: string; length: number }[] => {
    const { sourceEdits } = compileClass(`${decorator} go(): string { return name; }`);
    return removals(sourceEdits).map(({ start, end, text }) => ({ text, length: end - start }));
  };

  it.each(['@Tool({ readOnly: true, icons: [{ src: "https:b" }] })', '@Tool({\n  title: "Go",\n})'])(
    "is removed if the manifest contains all its options, without moving other code: %j",
    (decorator) => {
      const blank = decorator.replaceAll(/[^\n]/g, " ");
      expect(replacements(decorator)).toEqual([{ text: blank, length: decorator.length }]);
    },
  );

  it.each([
    ["options with a callback", "@Tool({ enabled: () => true })"],
    ["options that refer to a constant", "@Tool({ title: name })"],
    ["options that the runtime reads", '@Resource("a://b", { cache: { ttlMs: 60 * 1000 } })'],
  ])("stays if it has %s", (_, decorator) => {
    expect(compileClass(`${decorator} go(): string { return name; }`).emit).toBeDefined();
    expect(replacements(decorator)).toEqual([]);
  });
});

it("a decorator stays on a method that overrides another, whose recorded callbacks would otherwise apply", () => {
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
  expect(removals(sourceEdits).map(({ start, end }) => source.slice(start, end))).toEqual([
    '@Tool({ title: "Wait" })',
  ]);
});

it("a decorator that two classes inherit is removed once, even with a prefix", () => {
  const source = `import { Tool } from "@tenon/runtime";
    abstract class Base { /** Go. */ @Tool() go(): string { return ""; } }
    export class First extends Base {}
    @Tool({ prefix: "second_" }) export class Second extends Base {}`;
  const { diagnostics, sourceEdits } = project.compile({ "src/subject.ts": source });
  expect(diagnostics).toEqual([]);
  expect(removals(sourceEdits).map(({ start, end }) => source.slice(start, end))).toEqual([
    "@Tool()",
    '@Tool({ prefix: "second_" })',
  ]);
});
