/** Changes since a contract was written, and the clients that they affect. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import type { JsonSchema } from "@tenon/runtime/manifest";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
// Internal: changes between any two schemas, without a project for each.
import { findSchemaChanges } from "../../packages/cli/src/compare/schema/schema-changes.js";
import { randomSchema, randomValue } from "../compile/random-schemas.js";
import { compiledValidator } from "../support/compiled-validator.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

/** Pairs of random schemas: `CONTRACT_CASES=20000` tries more. */
const cases = Number(process.env["CONTRACT_CASES"] ?? 150);

const describeChanges = (before: JsonSchema, after: JsonSchema): string[] =>
  findSchemaChanges(before, after).map(({ change, path, message }) => `${change}: ${path} ${message}`);

const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

describe("the changes between two schemas", () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    [
      "are an empty list if they are equal",
      object({ a: { type: "string" } }),
      object({ a: { type: "string" } }),
      [],
    ],
    ["name a limit", { maxLength: 9 }, { maxLength: 5 }, ["fewer:  has the `maxLength` 5 (before: 9)"]],
    ["name a wider type", { type: "integer" }, { type: "number" }, ["more:  can also be number"]],
    [
      "name values",
      { enum: ["a", "b"] },
      { enum: ["b", "c"] },
      ['fewer:  can no longer be "a"', 'more:  can also be "c"'],
    ],
    [
      "name members",
      object({ gone: {}, kept: {}, asked: {} }, "kept"),
      object({ kept: {}, asked: {}, added: {}, needed: {} }, "asked", "needed"),
      [
        "fewer: gone was removed",
        "more: kept is now optional",
        "fewer: asked is now required",
        "more: added is new",
        "fewer: needed is new and required",
        "more: needed is new and required",
      ],
    ],
    [
      "name the path of a nested change",
      object({ at: { type: "array", items: object({ x: { type: "number", description: "X" } }) } }),
      object({ at: { type: "array", items: object({ x: { type: "number", minimum: 0 } }) } }),
      ["fewer: at[].x now has the `minimum` 0", "wording: at[].x has a different `description`"],
    ],
    [
      "include members of any name",
      { type: "object", properties: { a: {} }, additionalProperties: { type: "string" } },
      { type: "object", properties: { b: { type: "number" } } },
      [
        "more: a was removed",
        "fewer: b can no longer be string",
        "more: b can also be number",
        "more: .* can now be any value",
      ],
    ],
    [
      "include items after a tuple",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } },
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      ["more: [] can now be any value", "fewer: [1] can no longer be string", "more: [1] can also be number"],
    ],
    ["include required members that have no schema", { required: ["a"] }, {}, ["more: a is now optional"]],
    ["include a default", { default: 1 }, { default: 2 }, ["default:  has the default 2 (before: 1)"]],
    [
      "follow references",
      { $ref: "#/$defs/a", $defs: { a: { type: "string" } } },
      { type: "string", minLength: 1 },
      ["fewer:  now has the `minLength` 1"],
    ],
    [
      "count both ways if a comparison is undecidable",
      { pattern: "^a" },
      { pattern: "^ab" },
      ['fewer:  has the `pattern` "^ab" (before: "^a")', 'more:  has the `pattern` "^ab" (before: "^a")'],
    ],
  ])("%s", (_name, before, after, changes) => {
    expect(describeChanges(before, after)).toEqual(changes);
  });

  test("are never empty when fewer or more values are accepted", () => {
    fc.assert(
      fc.property(
        randomSchema,
        randomSchema,
        fc.array(randomValue, { minLength: 20, maxLength: 20 }),
        (before, after, values) => {
          const [fitted, fits] = [compiledValidator(before), compiledValidator(after)];
          const changes = new Set(findSchemaChanges(before, after).map(({ change }) => change));
          for (const value of values) {
            if (fitted(value) && !fits(value)) expect(changes).toContain("fewer");
            if (!fitted(value) && fits(value)) expect(changes).toContain("more");
          }
        },
      ),
      { numRuns: cases },
    );
  });
});

const BEFORE = `import { Prompt, Resource, Tool } from "@tenon/runtime";
export class Weather {
  /** Current conditions. */
  @Tool({ readOnly: true }) current(city: string, units: "c" | "f" = "c"): { sky: string; wind?: number } { return { sky: city + units }; }
  /** Gone soon. */
  @Tool() forecast(days: number): string { return String(days); }
  /** Plans. */
  @Prompt() plan(city: string, mood?: string): string { return city + mood; }
  /** One year. @mimeType text/plain */
  @Resource("climate://{year}") climate(year: number): string { return String(year); }
}
`;

const AFTER = `import { Prompt, Resource, Tool } from "@tenon/runtime";
export class Weather {
  /** The conditions now. */
  @Tool({ rateLimit: { calls: 5, windowMs: 60_000 } }) current(city: string, units: "c" | "f" | "k" = "f", at?: Date): { sky: string | null; rain?: number } { return { sky: city + units + at }; }
  /** Plans. */
  @Prompt() plan(city: string, mood: string): string { return city + mood; }
  /** One year. @mimeType text/markdown */
  @Resource("climate://{year}") climate(year: number): string { return String(year); }
  /** New. */
  @Tool() alerts(): string { return ""; }
}
`;

describe("tenon check", () => {
  let project: ProjectFolder;
  const lock = (): string => join(project.root, "tenon.contract.json");
  const check = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = recordingTerminal(project.root);
    const code = await run(["check", ...args], terminal);
    return { code, out: terminal.stdout(), err: terminal.stderr() };
  };
  beforeAll(() => {
    project = projectFolder();
  });
  afterAll(() => project.remove());
  beforeEach(async () => {
    project.write({ "src/weather.ts": BEFORE });
    await check("--update");
  });

  test("does not mention a contract if there is none", async () => {
    rmSync(lock());
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).not.toContain("Contract");
  });

  test("writes only what clients see, and not how or when the contract was created", async () => {
    const text = readFileSync(lock(), "utf8");
    await expect(text).toMatchFileSnapshot("contract/tenon.contract.json");
    project.write({ "package.json": JSON.stringify({ name: "sample", version: "9.9.9", type: "module" }) });
    await check("--update");
    expect(readFileSync(lock(), "utf8")).toBe(text);
  });

  test("finds nothing if nothing changed", async () => {
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).toContain("No change that a client can see.");
  });

  test("shows each change at its location, and fails for changes that may break clients", async () => {
    project.write({ "src/weather.ts": AFTER });
    const { code, out } = await check();
    expect(code).toBe(1);
    await expect(out).toMatchFileSnapshot("contract/report.txt");
    const json = JSON.parse((await check("--json")).out) as { changes: { effect: string; span?: object }[] };
    expect(json.changes.filter(({ effect }) => effect === "breaking").length).toBeGreaterThan(4);
    await expect((await check("--github")).out.replace(/^(?!::).*\n/gm, "")).toMatchFileSnapshot(
      "contract/github.txt",
    );
    const both = await check("--github", "--json");
    expect(JSON.parse(both.out)).toEqual(json);
    expect(both.err).toMatch(/^::/m);
  });

  test("does not write the contract while the project has errors", async () => {
    const text = readFileSync(lock(), "utf8");
    const broken = BEFORE.replace(
      /\n}\s*$/,
      "\n  /** Broken. */\n  @Tool() broken(when: Promise<string>): string { return String(when); }\n}\n",
    );
    project.write({ "src/weather.ts": broken });
    const { code, err } = await check("--update");
    expect(code).toBe(1);
    expect(err).toContain("tenon.contract.json was not written, because the project has errors.");
    expect(readFileSync(lock(), "utf8")).toBe(text);
  });

  test("reports a merge conflict in the contract", async () => {
    const text = readFileSync(lock(), "utf8");
    const conflict = `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`;
    writeFileSync(lock(), conflict);
    const { code, err } = await check();
    expect(code).toBe(1);
    expect(err).toContain(
      "error  tenon.contract.json contains an unresolved merge conflict.\nhint   Keep either side",
    );
    expect(readFileSync(lock(), "utf8")).toBe(conflict);
  });

  test("does not promise that every client keeps working if a permission is required now", async () => {
    project.write({ "src/weather.ts": BEFORE.replace("@Tool()", '@Tool({ scopes: ["read"] })') });
    const { code, out } = await check();
    expect(out).toContain("requires `read`; before, every caller could call it");
    expect(out).not.toContain("No change that may break a client.");
    expect(code).toBe(0);
  });

  test("accepts the changes after they are written", async () => {
    project.write({ "src/weather.ts": AFTER });
    await check("--update");
    expect((await check()).code).toBe(0);
  });

  test("reports a probable rename, unless several declarations qualify", async () => {
    const source = (names: Record<"tool" | "first" | "second" | "prompt" | "uri", string>): string =>
      `import { Prompt, Resource, Tool } from "@tenon/runtime";
export class Weather {
  /** Said in other words: ${names.tool}. */
  @Tool() ${names.tool}(city: string, days?: number): { sky: string } { return { sky: city + days }; }
  /** One of two: ${names.first}. */
  @Tool() ${names.first}(at: Date): string { return String(at); }
  /** Two of two. */
  @Tool() ${names.second}(at: Date): string { return String(at); }
  /** Takes nothing, and is of another kind: ${names.tool}. */
  @Tool() ${names.tool}Nothing(): string { return ""; }
  /** Plans. */
  @Prompt() ${names.prompt}(city: string): string { return city; }
  /** One year. */
  @Resource("${names.uri}") climate(): string { return ""; }
}
`;
    project.write({
      "src/weather.ts": source({ tool: "a", first: "b", second: "c", prompt: "d", uri: "climate://e" }),
    });
    await check("--update");
    project.write({
      "src/weather.ts": source({ tool: "v", first: "w", second: "x", prompt: "y", uri: "climate://z" }),
    });
    const { out } = await check();
    expect(out.slice(out.indexOf("  BREAKING"), out.indexOf("  Safe"))).toMatchInlineSnapshot(`
      "  BREAKING: 6 changes that may break clients
          tool a                was removed, probably renamed to \`v\`
          tool aNothing         was removed
          tool b                was removed
          tool c                was removed
          prompt d              was removed, probably renamed to \`y\`
          resource climate://e  was removed, probably moved to \`climate://z\`

      "
    `);
  });

  test("compares limits that are functions, including the server's, and required tasks", async () => {
    const server = (options: string): string =>
      `import { defineServer } from "@tenon/runtime";\nexport default defineServer({ ${options} });\n`;
    const tool = (options: string): string =>
      `import { Tool } from "@tenon/runtime";\nexport class Weather {\n  /** Now. */\n  @Tool(${options}) current(): void {}\n}\n`;
    const byCaller = "() => ({ calls: 5, windowMs: 60_000 })";
    const steps = [
      ["", ""],
      [`{ rateLimit: ${byCaller} }`, `rateLimit: ${byCaller}`],
      [`{ rateLimit: { calls: 1, windowMs: 1000 }, task: "optional" }`, ""],
      [`{ rateLimit: { calls: 1, windowMs: Number(process.env["MS"]) }, task: "required" }`, ""],
      [`{ task: "optional" }`, "rateLimit: { calls: 9, windowMs: 1000 }"],
    ] as const;
    const seen: string[] = [];
    for (const [options, config] of steps) {
      project.write({ "src/weather.ts": tool(options), "src/server.ts": server(config) });
      if (options !== "") {
        const { code, out } = await check();
        seen.push(
          `exit code ${code}`,
          ...out.split("\n").filter((line) => /^ {4}(?:server|tool) /.test(line)),
        );
      }
      await check("--update");
      expect((await check()).out).toContain("No change that a client can see.");
    }
    rmSync(join(project.root, "src/server.ts"));
    expect(seen.join("\n")).toMatchSnapshot();
  });

  test("compares the questions to clients if both versions declare them", async () => {
    const steps = [
      "return;",
      `await ctx.ask<{ name: string; seat?: "a" | "b" }>("Who?");`,
      `await ctx.ask<{ name: string; seat?: "a" }>("Who?"); await ctx.ask<{ why: string }>("Why?");`,
      `await ctx.ask<{ name: string; seat: "a"; at?: string }>("Who?"); await ctx.sample({ messages: [], maxTokens: 1 });`,
      `if ((await ctx.elicitUrl("Look.", "https://example.com")).action === "accept") await ctx.roots();`,
      "return;",
    ];
    const seen: string[] = [];
    for (const [step, body] of steps.entries()) {
      const source = `import { Tool, type Context } from "@tenon/runtime";\nexport class Trips {\n  /** Books. */\n  @Tool() async book(ctx: Context): Promise<void> { ${body} }\n}\n`;
      project.write({ "src/weather.ts": source });
      if (step > 0) {
        const { code, out } = await check();
        seen.push(
          `exit code ${code}`,
          out.slice(out.indexOf("\n\n") + 2, out.search(/^sample \d/m)).trimEnd(),
        );
      }
      await check("--update");
      expect((await check()).out).toContain("No change that a client can see.");
    }
    expect(seen.join("\n")).toMatchSnapshot();
    // Older contracts do not contain the questions.
    const { questions, ...older } = JSON.parse(readFileSync(lock(), "utf8")) as Record<string, unknown>;
    expect(questions).toEqual({});
    writeFileSync(lock(), JSON.stringify(older));
    project.write({
      "src/weather.ts": readFileSync(join(project.root, "src/weather.ts"), "utf8").replace(
        "return;",
        "await ctx.roots();",
      ),
    });
    expect(await check()).toMatchObject({
      code: 0,
      out: expect.stringContaining("No change that a client can see.") as string,
    });
  });

  test.each([
    ["not valid JSON", "{"],
    ["of another version", '{ "contractVersion": 99 }'],
  ])("explains how to recover from a contract that is %s", async (_name, text) => {
    writeFileSync(lock(), text);
    const { code, err } = await check();
    expect(code).toBe(1);
    expect(err).toMatchSnapshot();
    expect(existsSync(lock())).toBe(true);
  });
});
