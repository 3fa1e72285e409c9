/**
 * Pairs of sources with the verdict of a reader who knows what clients rely on. Each case is the body of a class before
 * and after; what both share is in `SHARED`.
 */

/**
 * - `breaking`: a call that worked may now fail, or a client may not understand a result
 * - `visible`: clients see a difference, and none of them breaks
 * - `none`: no client can tell the difference
 */
export type Verdict = "breaking" | "visible" | "none";

export interface ContractPair {
  readonly name: string;
  readonly verdict: Verdict;
  readonly before: string;
  readonly after: string;
}

/** Declarations in every source. */
export const SHARED = `import { Prompt, Resource, Tool, type Context } from "@tenon/runtime";
`;

const tool = (parameters: string, result = "string"): string =>
  `/** Runs. */ @Tool() run(${["z: number", parameters].filter(Boolean).join(", ")}): ${result} { return undefined as never; }`;
const prompt = (parameters: string): string =>
  `/** Says. */ @Prompt() say(${parameters}): string { return ""; }`;
const template = (uri: string, parameters: string): string =>
  `/** Reads. */ @Resource("${uri}") read(${parameters}): string { return ""; }`;

/** Cases as `[verdict, before, after]`, by name. */
type Rows = Readonly<Record<string, readonly [Verdict, string, string]>>;

/** Types of an argument, before and after. */
const ARGUMENTS: Rows = {
  "the same type": ["none", "x: string", "x: string"],
  "another argument that is optional": ["visible", "x: string", "x: string, y?: number"],
  "another argument that is required": ["breaking", "x: string", "x: string, y: number"],
  "a removed argument": ["breaking", "x: string, y?: number", "x: string"],
  "arguments in another order": ["none", "x: string, y: number", "y: number, x: string"],
  "a required argument": ["breaking", "x?: string", "x: string"],
  "an optional argument": ["visible", "x: string", "x?: string"],
  "another type": ["breaking", "x: string", "x: number"],
  "a wider type": ["visible", "x: string", "x: string | number"],
  "a narrower type": ["breaking", "x: string | number", "x: string"],
  "a value or a list of values": ["visible", "x: string", "x: string | string[]"],
  "a list instead of a value or a list": ["breaking", "x: string | string[]", "x: string[]"],
  "a nullable type": ["visible", "x: string", "x: string | null"],
  "a type that is no longer nullable": ["breaking", "x: string | null", "x: string"],
  "values in another order": ["none", 'x: "a" | "b"', 'x: "b" | "a"'],
  "an added value": ["visible", 'x: "a" | "b"', 'x: "a" | "b" | "c"'],
  "a removed value": ["breaking", 'x: "a" | "b" | "c"', 'x: "a" | "b"'],
  "any string instead of values": ["visible", 'x: "a" | "b"', "x: string"],
  "values instead of any string": ["breaking", "x: string", 'x: "a" | "b"'],
  "a default": ["breaking", "x = 1", "x = 2"],
  "a new default of an optional argument": ["breaking", "x?: number", "x = 2"],
  "a limit": ["breaking", "x: string", "/** @maxLength 5 */ x: string"],
  "a least length of zero": ["none", "x: string", "/** @minLength 0 */ x: string"],
  "no least length instead of zero": ["none", "/** @minLength 0 */ x: string", "x: string"],
  "a least number of zero": ["breaking", "x: number", "/** @minimum 0 */ x: number"],
  "a looser limit": ["visible", "/** @maxLength 5 */ x: string", "/** @maxLength 9 */ x: string"],
  "a removed limit": ["visible", "/** @maxLength 5 */ x: string", "x: string"],
  "another pattern": ["breaking", "/** @pattern ^a */ x: string", "/** @pattern ^b */ x: string"],
  "another format": ["breaking", "/** @format email */ x: string", "/** @format uri */ x: string"],
  "whole numbers": ["breaking", "x: number", "/** @integer */ x: number"],
  "all numbers": ["visible", "/** @integer */ x: number", "x: number"],
  "a multiple": ["breaking", "x: number", "/** @multipleOf 5 */ x: number"],
  "a multiple of a multiple": [
    "breaking",
    "/** @multipleOf 2 */ x: number",
    "/** @multipleOf 4 */ x: number",
  ],
  "a factor of a multiple": ["visible", "/** @multipleOf 4 */ x: number", "/** @multipleOf 2 */ x: number"],
  "another multiple": ["breaking", "/** @multipleOf 4 */ x: number", "/** @multipleOf 6 */ x: number"],
  "a limit that also allows its own value": [
    "visible",
    "/** @exclusiveMinimum 0 @exclusiveMaximum 9 */ x: number",
    "/** @minimum 0 @maximum 9 */ x: number",
  ],
  "a limit that no longer allows its own value": [
    "breaking",
    "/** @maximum 9 */ x: number",
    "/** @exclusiveMaximum 9 */ x: number",
  ],
  "a limit beyond an exclusive one": [
    "breaking",
    "/** @exclusiveMinimum 0 */ x: number",
    "/** @minimum 1 */ x: number",
  ],
  "another description": ["visible", "/** One. */ x: string", "/** Two. */ x: string"],
  "a deprecation": ["visible", "x?: string", "/** @deprecated */ x?: string"],
  "a secret": ["visible", "x: string", "/** @secret */ x: string"],
  "a header": ["breaking", "x: string", "/** @header X */ x: string"],
  "a file in place of text": ["breaking", "x: string", "x: File"],
  "a limit of the type of a file": ["breaking", "x: File", "/** @accept image/png */ x: File"],
  "another type of a file": [
    "breaking",
    "/** @accept image/png */ x: File",
    "/** @accept image/gif */ x: File",
  ],
  "a wider type of a file": ["visible", "/** @accept image/png */ x: File", "/** @accept image/* */ x: File"],
  "a removed limit of the type of a file": ["visible", "/** @accept image/png */ x: File", "x: File"],
  "a smaller file": ["breaking", "/** @maxSize 2 MB */ x: File", "/** @maxSize 1 MB */ x: File"],
  "a larger file": ["visible", "/** @maxSize 1 MB */ x: File", "/** @maxSize 2 MB */ x: File"],
  "another header": ["breaking", "/** @header X */ x: string", "/** @header Y */ x: string"],
  "a removed header": ["visible", "/** @header X */ x: string", "x: string"],
  "a list of another type": ["breaking", "x: string[]", "x: number[]"],
  "a longer minimum list": ["breaking", "/** @minItems 1 */ x: string[]", "/** @minItems 2 */ x: string[]"],
  "a tuple with another optional element": ["visible", "x: [string]", "x: [string, number?]"],
  "a tuple with another element": ["breaking", "x: [string]", "x: [string, number]"],
  "a list instead of a tuple": ["visible", "x: [string, string]", "x: string[]"],
  "a tuple instead of a list": ["breaking", "x: string[]", "x: [string, string]"],
  "a member that is optional": ["visible", "x: { a: string }", "x: { a: string; b?: number }"],
  "a member that is required": ["breaking", "x: { a: string }", "x: { a: string; b: number }"],
  "a removed member": ["breaking", "x: { a: string; b?: number }", "x: { a: string }"],
  "a nested type": ["breaking", "x: { a: { b: string } }", "x: { a: { b: number } }"],
  "a record": ["breaking", "x: Record<string, string>", "x: Record<string, number>"],
  "a record that gains a named member": [
    "breaking",
    "x: Record<string, string | number>",
    "x: { a?: string; [name: string]: string | number | undefined }",
  ],
  "a record that gains a named member of its type": [
    "none",
    "x: Record<string, string>",
    "x: { a?: string; [name: string]: string | undefined }",
  ],
  "a record that gains a required member": [
    "breaking",
    "x: Record<string, string>",
    "x: { a: string; [name: string]: string }",
  ],
  "a record instead of members": ["visible", "x: { a?: string }", "x: Record<string, string>"],
  "members instead of a record": ["breaking", "x: Record<string, string>", "x: { a?: string }"],
  "a date": ["breaking", "x: string", "x: Date"],
  bytes: ["breaking", "x: string", "x: Uint8Array"],
  "a set instead of a list": ["breaking", "x: string[]", "x: Set<string>"],
  "a big integer": ["breaking", "x: string", "x: bigint"],
  "a limit of a big integer": ["breaking", "x: bigint", "/** @minimum 1 */ x: bigint"],
  "a limit of a big integer that ends": ["visible", "/** @minimum 1 */ x: bigint", "x: bigint"],
  "another form of the same limit of a big integer": [
    "visible",
    "/** @minimum 1 */ x: bigint",
    "/** @exclusiveMinimum 0 */ x: bigint",
  ],
  "a lower limit of a nested big integer": [
    "breaking",
    "x: { ids: (/** @maximum 9007199254740993 */ bigint)[] }",
    "x: { ids: (/** @maximum 9007199254740992 */ bigint)[] }",
  ],
  "a new optional big integer with a limit": [
    "visible",
    "x: string",
    "x: string, /** @minimum 1 */ y?: bigint",
  ],
  "another multiple of a big integer": [
    "breaking",
    "/** @multipleOf 2 */ x: bigint",
    "/** @multipleOf 4 */ x: bigint",
  ],
  "any value": ["visible", "x: string", "x: unknown"],
  "a string instead of any value": ["breaking", "x: unknown", "x: string"],
  "a union of objects with an added one": [
    "visible",
    'x: { kind: "a"; a: string }',
    'x: { kind: "a"; a: string } | { kind: "b"; b: number }',
  ],
  "a union of objects with a removed one": [
    "breaking",
    'x: { kind: "a"; a: string } | { kind: "b"; b: number }',
    'x: { kind: "a"; a: string }',
  ],
  "a union of objects in another order": [
    "none",
    'x: { kind: "a"; a: string } | { kind: "b"; b: number }',
    'x: { kind: "b"; b: number } | { kind: "a"; a: string }',
  ],
  "a member of one object of a union": [
    "breaking",
    'x: { kind: "a"; a?: string } | { kind: "b"; b: number }',
    'x: { kind: "a"; a: string } | { kind: "b"; b: number }',
  ],
  "a member of one object of a union that is optional": [
    "visible",
    'x: { kind: "a"; a: string } | { kind: "b"; b: number }',
    'x: { kind: "a"; a?: string } | { kind: "b"; b: number }',
  ],
  "wording in a union": [
    "visible",
    'x: { kind: "a"; /** One. */ a: string } | { kind: "b" }',
    'x: { kind: "a"; /** Two. */ a: string } | { kind: "b" }',
  ],
  "a union of values and a type": ["visible", 'x: "a" | number', 'x: "a" | "b" | number'],
  "a union that one type covers": ["none", 'x: "a" | string', "x: string"],
};

/** Types of a result. */
const RESULTS: Rows = {
  "the same type": ["none", "{ a: string }", "{ a: string }"],
  "another member": ["visible", "{ a: string }", "{ a: string; b: number }"],
  "a removed member": ["breaking", "{ a: string; b: number }", "{ a: string }"],
  "a member that may be absent": ["breaking", "{ a: string }", "{ a?: string }"],
  "a member that is always present": ["visible", "{ a?: string }", "{ a: string }"],
  "another type": ["breaking", "{ a: string }", "{ a: number }"],
  "a big integer without its limit": ["breaking", "{ /** @minimum 1 */ n: bigint }", "{ n: bigint }"],
  "a big integer with a limit": ["visible", "{ n: bigint }", "{ /** @minimum 1 */ n: bigint }"],
  "a wider type": ["breaking", "{ a: string }", "{ a: string | null }"],
  "a narrower type": ["visible", "{ a: string | null }", "{ a: string }"],
  "another pattern": ["breaking", "{ /** @pattern ^a */ a: string }", "{ /** @pattern ^b */ a: string }"],
  "another format": ["breaking", "{ /** @format email */ a: string }", "{ /** @format uri */ a: string }"],
  "an added value": ["breaking", '{ a: "x" | "y" }', '{ a: "x" | "y" | "z" }'],
  "a removed value": ["visible", '{ a: "x" | "y" | "z" }', '{ a: "x" | "y" }'],
  "values in another order": ["none", '{ a: "x" | "y" }', '{ a: "y" | "x" }'],
  "a union with an added object": ["breaking", '{ k: "a" }', '{ k: "a" } | { k: "b" }'],
  "a union with a removed object": ["visible", '{ k: "a" } | { k: "b" }', '{ k: "a" }'],
  "a list of a wider type": ["breaking", "{ a: string[] }", "{ a: (string | number)[] }"],
  "a record of another type": ["breaking", "Record<string, string>", "Record<string, number>"],
  "removed data": ["breaking", "{ a: string }", "string"],
  data: ["visible", "string", "{ a: string }"],
  "another description": ["visible", "{ /** One. */ a: string }", "{ /** Two. */ a: string }"],
  "a date instead of text": ["visible", "{ a: string }", "{ a: Date }"],
};

/** Parameters of a prompt. */
const PROMPTS: Rows = {
  "the same arguments": ["none", "x: string", "x: string"],
  "a required argument": ["breaking", "x?: string", "x: string"],
  "another argument": ["visible", "x: string", "x: string, y?: string"],
  "another type": ["breaking", "x: string", "x: number"],
  "a removed value": ["breaking", 'x: "a" | "b"', 'x: "a"'],
  "an added value": ["visible", 'x: "a"', 'x: "a" | "b"'],
  "a limit": ["breaking", "x: number", "/** @minimum 1 */ x: number"],
  "a removed limit": ["visible", "/** @minimum 1 */ x: number", "x: number"],
  "a default": ["breaking", "x = 1", "x = 2"],
  "another description": ["visible", "/** One. */ x: string", "/** Two. */ x: string"],
};

/** Variables of a resource template. */
const TEMPLATES: Rows = {
  "the same type": ["none", "x: string", "x: string"],
  "another type": ["breaking", "x: string", "x: number"],
  "a wider type": ["visible", "x: number", "x: string"],
  "a removed value": ["breaking", 'x: "a" | "b"', 'x: "a"'],
  "a limit": ["breaking", "x: string", "/** @maxLength 5 */ x: string"],
  "a looser limit": ["visible", "/** @maxLength 5 */ x: string", "/** @maxLength 9 */ x: string"],
};

/** Whole classes, and declarations next to them. */
const CLASSES: Rows = {
  "a named type instead of a literal": [
    "none",
    `interface City { name: string } class A { ${tool("x: City, y: City")} }`,
    `class A { ${tool("x: { name: string }, y: { name: string }")} }`,
  ],
  "a renamed type": [
    "none",
    `interface City { name: string; in?: City } class A { ${tool("x: City, y: City")} }`,
    `interface Town { name: string; in?: Town } class A { ${tool("x: Town, y: Town")} }`,
  ],
  "a shared type that is split": [
    "none",
    `interface City { name: string } class A { ${tool("x: City, y: City")} }`,
    `interface City { name: string } interface Town { name: string } class A { ${tool("x: City, y: Town")} }`,
  ],
  "a recursive type with another member": [
    "visible",
    `interface Tree { children?: Tree[] } class A { ${tool("x: Tree")} }`,
    `interface Tree { children?: Tree[]; note?: string } class A { ${tool("x: Tree")} }`,
  ],
  "a recursive type with a narrower member": [
    "breaking",
    `interface Tree { note: string | number; children?: Tree[] } class A { ${tool("x: Tree")} }`,
    `interface Tree { note: string; children?: Tree[] } class A { ${tool("x: Tree")} }`,
  ],
  "a recursive type that is used deep inside": [
    "breaking",
    `interface Leaf { n: number } interface Tree { leaf?: Leaf; children?: Tree[] } class A { ${tool("x: Tree")} }`,
    `interface Leaf { n: string } interface Tree { leaf?: Leaf; children?: Tree[] } class A { ${tool("x: Tree")} }`,
  ],
  "a result of a recursive type that is wider": [
    "breaking",
    `interface Tree { n: number; children: Tree[] } class A { ${tool("", "Tree")} }`,
    `interface Tree { n: number | null; children: Tree[] } class A { ${tool("", "Tree")} }`,
  ],
  "wording of a type that alternatives share": [
    "visible",
    `/** One. */ interface P { x: number } class A { ${tool('x: { k: "a"; p: P } | { k: "b"; p: P }')} }`,
    `/** Two. */ interface P { x: number } class A { ${tool('x: { k: "a"; p: P } | { k: "b"; p: P }')} }`,
  ],
  "a removed tool": [
    "breaking",
    `class A { ${tool("x: string")} /** B. */ @Tool() b(): void {} }`,
    `class A { ${tool("x: string")} }`,
  ],
  "another tool": [
    "visible",
    `class A { ${tool("x: string")} }`,
    `class A { ${tool("x: string")} /** B. */ @Tool() b(): void {} }`,
  ],
  "another method of the class": [
    "none",
    `class A { ${tool("x: string")} }`,
    `class A { ${tool("x: string")} other(): void {} }`,
  ],
  "another title": [
    "visible",
    'class A { /** R. */ @Tool({ title: "A" }) run(): void {} }',
    'class A { /** R. */ @Tool({ title: "B" }) run(): void {} }',
  ],
  "arguments that are rejected": [
    "breaking",
    'class A { /** R. */ @Tool({ unknownArguments: "ignore" }) run(x: string): void {} }',
    'class A { /** R. */ @Tool({ unknownArguments: "reject" }) run(x: string): void {} }',
  ],
  "arguments that are ignored": [
    "visible",
    'class A { /** R. */ @Tool({ unknownArguments: "reject" }) run(x: string): void {} }',
    'class A { /** R. */ @Tool({ unknownArguments: "ignore" }) run(x: string): void {} }',
  ],
  "a required task": [
    "breaking",
    'class A { /** R. */ @Tool({ task: "optional" }) run(): void {} }',
    'class A { /** R. */ @Tool({ task: "required" }) run(): void {} }',
  ],
  "a custom schema with a narrower definition": [
    "breaking",
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { $ref: "#/definitions/n" } }, definitions: { n: { type: ["string", "number"] } } } }) run(a: Record<string, unknown>): void {} }',
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { $ref: "#/definitions/n" } }, definitions: { n: { type: "string" } } } }) run(a: Record<string, unknown>): void {} }',
  ],
  "a custom schema that refers to a member": [
    "breaking",
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { type: ["string", "number"] }, y: { $ref: "#/properties/x" } } } }) run(a: Record<string, unknown>): void {} }',
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { type: ["string", "number"] }, y: { type: "string" } } } }) run(a: Record<string, unknown>): void {} }',
  ],
  "a custom schema with a renamed definition": [
    "none",
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { $ref: "#/definitions/n" } }, definitions: { n: { type: "string" } } } }) run(a: Record<string, unknown>): void {} }',
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { $ref: "#/$defs/m" } }, $defs: { m: { type: "string" } } } }) run(a: Record<string, unknown>): void {} }',
  ],
  "a custom schema with an unknown keyword": [
    "breaking",
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { type: "string" } } } }) run(a: Record<string, unknown>): void {} }',
    'class A { /** R. */ @Tool({ inputSchema: { type: "object", properties: { x: { type: "string", "x-limit": 5 } } } }) run(a: Record<string, unknown>): void {} }',
  ],
  "a custom schema of results with another keyword that is not compared": [
    "breaking",
    'class A { /** R. */ @Tool({ outputSchema: { type: "object", not: { required: ["a"] } } }) run(): Record<string, unknown> { return {}; } }',
    'class A { /** R. */ @Tool({ outputSchema: { type: "object", not: { required: ["b"] } } }) run(): Record<string, unknown> { return {}; } }',
  ],
  "another MIME type": [
    "breaking",
    'class A { /** R. */ @Resource("a://b", { mimeType: "text/plain" }) read(): string { return ""; } }',
    'class A { /** R. */ @Resource("a://b", { mimeType: "text/html" }) read(): string { return ""; } }',
  ],
  "another URI": [
    "breaking",
    'class A { /** R. */ @Resource("a://b") read(): string { return ""; } }',
    'class A { /** R. */ @Resource("a://c") read(): string { return ""; } }',
  ],
  "another size and other annotations of a resource": [
    "visible",
    'class A { /** R. */ @Resource("a://b", { size: 1 }) read(): string { return ""; } }',
    'class A { /** R. */ @Resource("a://b", { size: 2, annotations: { priority: 1 } }) read(): string { return ""; } }',
  ],
  "a list that disappears": [
    "breaking",
    'class A { /** R. */ @Resource("a://{id}", { list: () => [] }) read(id: string): string { return id; } }',
    'class A { /** R. */ @Resource("a://{id}") read(id: string): string { return id; } }',
  ],
  "a list that appears": [
    "visible",
    'class A { /** R. */ @Resource("a://{id}") read(id: string): string { return id; } }',
    'class A { /** R. */ @Resource("a://{id}", { list: () => [] }) read(id: string): string { return id; } }',
  ],
  "a completion that disappears": [
    "breaking",
    "class A { /** R. */ @Prompt({ complete: { id: () => [] } }) say(id: string): string { return id; } }",
    "class A { /** R. */ @Prompt() say(id: string): string { return id; } }",
  ],
  "a completion that appears": [
    "visible",
    "class A { /** R. */ @Prompt() say(id: string): string { return id; } }",
    "class A { /** R. */ @Prompt({ complete: { id: () => [] } }) say(id: string): string { return id; } }",
  ],
  "a form with other names of choices": [
    "visible",
    'class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { const a = await ctx.elicit<{ /** @enumNames One, Two */ x: "a" | "b" }>("?"); if (a.action) return; } }',
    'class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { const a = await ctx.elicit<{ /** @enumNames Uno, Due */ x: "a" | "b" }>("?"); if (a.action) return; } }',
  ],
  "a form with another choice": [
    "visible",
    'class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { const a = await ctx.elicit<{ x: "a" | "b" }>("?"); if (a.action) return; } }',
    'class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { const a = await ctx.elicit<{ x: "a" | "b" | "c" }>("?"); if (a.action) return; } }',
  ],
  "a new form": [
    "breaking",
    "class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { ctx.log('info', ''); } }",
    'class A { /** R. */ @Tool() async run(ctx: Context): Promise<void> { const a = await ctx.elicit<{ x: string }>("?"); if (a.action) return; } }',
  ],
  "updates of resources that are no longer reported": [
    "breaking",
    'class A { /** R. */ @Resource("a://b") read(): string { return ""; } /** T. */ @Tool() touch(ctx: Context): void { ctx.notify.resourceUpdated("a://b"); } }',
    'class A { /** R. */ @Resource("a://b") read(): string { return ""; } /** T. */ @Tool() touch(ctx: Context): void { ctx.log("info", ""); } }',
  ],
};

const serverWithIssuer = (issuer: string): string =>
  `import { defineServer } from "@tenon/runtime";
  import { oauth } from "@tenon/runtime/auth";
  export default defineServer({ auth: oauth({ issuer: ${issuer}, resource: "https://mcp.example.com/mcp" }) });
  class A { ${tool("x: string")} }`;

/** Servers with OAuth, by the option `issuer`. */
const ISSUERS: Rows = {
  "the same issuer": ["none", '"https://a.example.com"', '["https://a.example.com"]'],
  "another issuer": ["breaking", '"https://a.example.com"', '"https://b.example.com"'],
  "an added issuer": [
    "visible",
    '"https://a.example.com"',
    '["https://a.example.com", "https://b.example.com"]',
  ],
  "a removed issuer": [
    "breaking",
    '["https://a.example.com", "https://b.example.com"]',
    '"https://a.example.com"',
  ],
};

/** Servers with these options. */
const OPTIONS: Rows = {
  "a search mode": ["breaking", "", "toolSearch: true"],
  "no search mode": ["breaking", "toolSearch: true", ""],
  "a search mode that lists fewer tools": [
    "breaking",
    'toolSearch: { always: ["run"] }',
    "toolSearch: { always: [] }",
  ],
  "a search mode that lists more tools": [
    "visible",
    "toolSearch: { always: [] }",
    'toolSearch: { always: ["run"] }',
  ],
  "a profile that simplifies schemas": ["visible", "", 'profile: "gemini"'],
};

const serverWithOptions = (options: string): string =>
  `import { defineServer } from "@tenon/runtime";
  export default defineServer({ ${options} });
  class A { ${tool("x: string | Record<string, number>")} }`;

function listPairs(subject: string, rows: Rows, toSource: (code: string) => string): ContractPair[] {
  return Object.entries(rows).map(([name, [verdict, before, after]]) => ({
    name: `${subject}: ${name}`,
    verdict,
    before: toSource(before),
    after: toSource(after),
  }));
}

export const PAIRS: readonly ContractPair[] = [
  ...listPairs("arguments", ARGUMENTS, (code) => `class A { ${tool(code)} }`),
  ...listPairs("a result", RESULTS, (code) => `class A { ${tool("", code)} }`),
  ...listPairs("a prompt", PROMPTS, (code) => `class A { ${prompt(code)} }`),
  ...listPairs("a template", TEMPLATES, (code) => `class A { ${template("a://{x}", code)} }`),
  ...listPairs("authorization servers", ISSUERS, serverWithIssuer),
  ...listPairs("a server", OPTIONS, serverWithOptions),
  ...listPairs("a class", CLASSES, (code) => code),
];
