import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

let project: ScratchProject;
beforeAll(() => {
  project = createScratchProject("features");
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

/** The features that the emitted server is made with. */
async function featuresOf(...args: Parameters<typeof compiled>): Promise<string[]> {
  const { emit, diagnostics } = compiled(...args);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [, list = ""] = /features: \{(.*)\}/.exec(String((await emit?.())?.get("app.js"))) ?? [];
  return list.split(",").flatMap((each) => each.trim() || []);
}

describe("a server is emitted with the features it has use for", () => {
  it.each([
    ["a tool", "@Tool() add(a: number, b: number): string { return `${a + b}`; }", []],
    ["a result that is an object", "@Tool() add(): { sum: number } { return { sum: 1 }; }", []],
    ["a result that is none", "@Tool() add(): number { return 1; }", ["wrapping"]],
    ["a result that need not be one", "@Tool() add(): { sum: number } | null { return null; }", ["wrapping"]],
    ["a prompt", "@Prompt() plan(city: string): string { return city; }", ["completion", "prompts"]],
    ["a resource", '@Resource("a://b") read(): string { return ""; }', ["resources"]],
    [
      "a resource template",
      '@Resource("a://{b}") read(b: string): string { return b; }',
      ["completion", "resources"],
    ],
    ["a Context", "@Tool() ask(ctx: Context): string { return ctx.revision; }", ["context", "streams"]],
    [
      "a Context beside resources",
      '@Tool() ask(ctx: Context): string { return ctx.revision; } @Resource("a://b") read(): string { return ""; }',
      ["changes", "context", "resources", "streams"],
    ],
    [
      "arguments to convert",
      "@Tool() at(time: Date): string { return String(time); }",
      ["conversion", "formats"],
    ],
    ["results to convert", "@Tool() at(): { time: Date } { return { time: new Date() }; }", ["conversion"]],
    ["content", '@Tool() see(): { type: "text"; text: string } { return { type: "text", text: name }; }', []],
    ["a format", "@Tool() mail(/** @format email */ to: string): string { return to; }", ["formats"]],
    [
      "alternatives",
      "@Tool() see(x: number | { a: string }): string { return String(x); }",
      ["alternatives"],
    ],
    ["alternatives in results", "@Tool() see(): { x: number | { a: string } } { return { x: 1 }; }", []],
    ["a pattern", "@Tool() see(/** @pattern ^a */ x: string): string { return x; }", ["keywords"]],
    ["any names", "@Tool() see(x: Record<string, number>): string { return String(x); }", ["keywords"]],
    ["a secret", "@Tool() see(/** @secret */ x: string): string { return x; }", ["secrets"]],
    [
      "a schema of keywords that the runtime does not know",
      '@Tool({ inputSchema: { type: "object", not: { required: ["a"] } } }) see(args: object): string { return name; }',
      ["alternatives", "keywords", "reports"],
    ],
    ["results of no declared type", "@Tool() see(): unknown { return name; }", ["content"]],
    [
      "behaviour",
      "@Tool({ enabled: () => true }) on(): string { return name; }",
      ["behaviour", "changes", "paging", "streams"],
    ],
    ["cache hints", '@Resource("a://b", { cache: { ttlMs: 1 } }) read(): string { return ""; }', "behaviour"],
    [
      "an argument in a header",
      "@Tool() go(/** @header Region */ region: string): string { return region; }",
      ["headers"],
    ],
    [
      "a task",
      '@Tool({ task: "optional" }) go(): string { return name; }',
      ["changes", "context", "streams", "tasks"],
    ],
    [
      "an error that asks for a URL",
      "@Tool() go(): string { throw new UrlElicitationRequiredError([]); }",
      ["context", "streams"],
    ],
  ])("%s", async (_, body, expected) => {
    const found = await featuresOf(body);
    if (typeof expected === "string") expect(found).toContain(expected);
    else expect(found).toEqual(expected);
  });

  it("tells of changes that its configuration may announce", async () => {
    const config = `
      import { createNotifier, defineServer } from "@tenon/runtime";
      export default defineServer({ notifier: createNotifier() });`;
    expect(
      await featuresOf('@Resource("a://b") read(): string { return ""; }', { "src/server.ts": config }),
    ).toEqual(["changes", "configuration", "paging", "resources", "streams"]);
  });

  it("is emitted with what reads its configuration, whatever that says", async () => {
    const config = 'import { defineServer } from "@tenon/runtime"; export default defineServer({});';
    expect(await featuresOf("@Tool() on(): string { return name; }", { "src/server.ts": config })).toEqual([
      "configuration",
      "paging",
    ]);
  });

  it.each([
    [1000, []],
    [1001, ["paging"]],
  ])("lists %i tools with the means for it", async (count, expected) => {
    const tools = Array.from({ length: count }, (_, index) => `@Tool() tool${index}(): void {}`);
    expect(await featuresOf(tools.join("\n"))).toEqual(expected);
  });

  const TOOL = "@Tool() add(a: number, b: number): string { return String(a + b); }";

  const configured = (written: string): Record<string, string> => ({
    "src/server.ts": `
      import { defineServer, type ServerConfig } from "@tenon/runtime";
      const ON = true;
      const OFF = false;
      const text = process.argv.join("");
      const base = { http: { sse: ON } };
      const config = (): ServerConfig => base;
      export default ${written};`,
  });

  it.each([
    ["is plain", "defineServer({ http: { sse: true } })"],
    ["is of a constant", "defineServer({ http: { sse: ON } })"],
    ["stands beside others", 'defineServer({ http: { principal: () => "me", sse: true } })'],
    ["is spread", "defineServer({ ...base })"],
    ["comes by a variable", "defineServer(base)"],
    ["depends on the environment", 'defineServer({ http: { sse: process.env["OLD"] === "yes" } })'],
    ["is not to be read", "defineServer(config())"],
    ["may be anything", "defineServer(JSON.parse(text))"],
    ["may be in anything", "defineServer({ http: JSON.parse(text) })"],
    ["may be there or not", 'defineServer(text === "" ? {} : base)'],
  ])("speaks HTTP+SSE if its configuration may ask for it: what it says %s", async (_, written) => {
    expect(await featuresOf(TOOL, configured(written))).toEqual(["configuration", "paging", "sse"]);
  });

  it.each([
    ["nothing", "defineServer({})"],
    ["nothing at all", "defineServer({ http: {} })"],
    ["no", "defineServer({ http: { sse: false } })"],
    ["no by a constant", "defineServer({ http: { sse: OFF } })"],
    ["something else", "defineServer({ instructions: text, http: { allowedHosts: [text] } })"],
  ])("does not speak HTTP+SSE if its configuration says %s", async (_, written) => {
    expect(await featuresOf(TOOL, configured(written))).toEqual(["configuration", "paging"]);
  });
});

describe("the author's sources are bundled without a decorator", () => {
  const replacements = (decorator: string): { text: string; replaces?: number }[] => {
    const { insertions } = compiled(`${decorator} go(): string { return name; }`);
    return (insertions?.get("src/subject.ts") ?? []).map(({ text, replaces = 0 }) => ({ text, replaces }));
  };

  it.each(['@Tool({ readOnly: true, icons: [{ src: "a:b" }] })', '@Tool({\n  title: "Go",\n})'])(
    "that says nothing but what the manifest holds, and everything else stays where it is: %j",
    (decorator) => {
      const blank = decorator.replaceAll(/[^\n]/g, " ");
      expect(replacements(decorator)).toEqual([{ text: blank, replaces: decorator.length }]);
    },
  );

  it.each([
    ["of behaviour", "@Tool({ enabled: () => true })"],
    ["of something named elsewhere", "@Tool({ title: name })"],
  ])("but not one %s", (_, decorator) => {
    expect(compiled(`${decorator} go(): string { return name; }`).emit).toBeDefined();
    expect(replacements(decorator)).toEqual([]);
  });
});
