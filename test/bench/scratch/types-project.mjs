/**
 * Projects of many tools, each with its own parameter types, as authors write them.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProject } from "./tenon-project.mjs";

const TOOLS_PER_FILE = 10;

/**
 * @param {string} root @param {string} packages the folder whose `node_modules` it uses
 * @param {number} tools
 */
export function writeTypesProject(root, packages, tools) {
  writeProject(root, packages);
  for (let first = 0; first < tools; first += TOOLS_PER_FILE) {
    const indexes = Array.from(
      { length: Math.min(TOOLS_PER_FILE, tools - first) },
      (_, offset) => first + offset,
    );
    writeFileSync(join(root, "src", `tools-${first}.ts`), fileSource(first, indexes));
  }
}

/**
 * Returns the path and text of a project's first file, at the beginning or after an edit. The first tool returns the
 * number of the version. `member` also changes that tool's type.
 *
 * @param {string} root @param {number} tools @param {number} version @param {boolean} member
 */
export function editedFile(root, tools, version, member) {
  const indexes = Array.from({ length: Math.min(TOOLS_PER_FILE, tools) }, (_, index) => index);
  const added = member ? `\n  /** Added by edit ${version} */\n  added${version}?: number;` : "";
  const text = fileSource(0, indexes)
    .replace("export interface Nested0 {", `export interface Nested0 {${added}`)
    .replace('return "tool_0"', `return "version ${version}"`);
  return { path: join(root, "src", "tools-0.ts"), text };
}

/** @param {number} first @param {number[]} indexes */
function fileSource(first, indexes) {
  const parts = indexes.map((index) => {
    const shape = /** @type {(typeof SHAPES)[number]} */ (SHAPES[index % SHAPES.length]);
    return { index, ...shape(index) };
  });
  return `import { Tool } from "@tenon/runtime";

${parts.map((part) => part.types).join("\n\n")}

export class Tools${first} {
${parts.map(({ index, parameters }) => method(index, parameters)).join("\n\n")}
}
`;
}

/** @param {number} index @param {string} parameters */
function method(index, parameters) {
  return `  /**
   * Tool number ${index} of the project, described in a sentence or two as tools are.
   *
   * Use it when nothing else fits.
   */
  @Tool({ readOnly: true })
  tool_${index}(${parameters}): string {
    return "tool_${index}";
  }`;
}

/** @type {((index: number) => { types: string, parameters: string })[]} */
const SHAPES = [
  (n) => ({
    types: `export interface Nested${n} {
  /** The recipient */
  owner: { name: string; /** @format email */ email: string; address?: { street: string; city: string; zip${n}?: string } };
  items: { sku: string; /** @integer @minimum 1 */ quantity: number; price?: number }[];
  /** @default "draft" */
  state?: "draft" | "sent" | "paid${n}";
}`,
    parameters: `args: Nested${n}`,
  }),
  (n) => ({
    types: `export interface Circle${n} { kind: "circle"; /** @exclusiveMinimum 0 */ radius: number }
export interface Box${n} { kind: "box"; width: number; height: number; label${n}?: string }
export interface Polygon${n} { kind: "polygon"; points: [x: number, y: number][] }
export type Shape${n} = Circle${n} | Box${n} | Polygon${n};`,
    parameters: `shape: Shape${n}, /** @pattern ^#[0-9a-f]{6}$ */ color?: string`,
  }),
  (n) => ({
    types: `export type Position${n} = [latitude: number, longitude: number, altitude${n}?: number];
export interface Route${n} { from: Position${n}; to: Position${n}; via: [Position${n}, ...string[]]; avoid?: readonly ("tolls" | "ferries")[] }`,
    parameters: `args: Route${n}`,
  }),
  (n) => ({
    types: `interface Record${n} { id${n}: string; title: string; body: string; tags: string[]; views: number; published: boolean }
export type Patch${n} = { [Key in keyof Omit<Record${n}, "id${n}" | "views">]?: Record${n}[Key] | null };
export type Counters${n} = Record<"read" | "written" | "failed${n}", number>;`,
    parameters: `id: string, patch: Patch${n}, counters?: Counters${n}`,
  }),
  (n) => ({
    types: `export interface Query${n} {
  text: string;
  /** Maximum number of hits @integer @minimum 1 @maximum 100 @default 20 */
  limit?: number;
  filters?: { field: "name" | "size${n}" | "date"; op: "=" | "<" | ">"; value: string | number | boolean }[];
  sort?: \`\${"name" | "size" | "date"}:\${"asc" | "desc"}\`;
}`,
    parameters: `query: Query${n}, dryRun = false`,
  }),
  (n) => ({
    types: `interface Page${n}<T> { items: T[]; cursor?: string; size: number }
interface Entry${n} { key${n}: string; value: string | null }
interface Audited${n} { by: string; at: Date }
export type Upload${n} = Page${n}<Entry${n}> & Audited${n};`,
    parameters: `upload: Upload${n}`,
  }),
  (n) => ({
    types: `export interface Node${n} { name${n}: string; children?: Node${n}[]; attributes?: Record<string, string | number> }`,
    parameters: `tree: Node${n}, depth: "shallow" | "deep" = "deep"`,
  }),
  (n) => ({
    types: `export enum Level${n} { Low = "low", High = "high${n}" }`,
    parameters: `city: string, level: Level${n}, units: "metric" | "imperial" = "metric", days?: number`,
  }),
];
