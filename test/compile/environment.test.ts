import { afterAll, expect, it } from "vitest";
import type { Environment } from "@tenon/compiler";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("environment");
afterAll(() => project.remove());

const read = (source: string): Environment | undefined =>
  project
    .compile({ "src/a.ts": `import { env } from "node:process";\nexport const used = [env];\n${source}` })
    .readEnvironment?.();

it.each([
  ["export const a = process.env.KEY;", [{ name: "KEY", optional: false }]],
  [`export const a = process.env["KEY"]!;`, [{ name: "KEY", optional: false }]],
  ["export const a = env.KEY;", [{ name: "KEY", optional: false }]],
  ["export const { KEY } = process.env;", [{ name: "KEY", optional: false }]],
  ["export const { KEY: key } = env;", [{ name: "KEY", optional: false }]],
  [`export const { KEY = "a" } = process.env;`, [{ name: "KEY", default: "a", optional: true }]],
  [`export const a = process.env.KEY ?? "a";`, [{ name: "KEY", default: "a", optional: true }]],
  ["export const a = Number((process.env.KEY) || 5);", [{ name: "KEY", default: "5", optional: true }]],
  ["export const a = process.env.KEY ?? used;", [{ name: "KEY", optional: true }]],
  [
    "function fail(): never { throw new Error(); }\nexport const a = process.env.KEY ?? fail();",
    [{ name: "KEY", optional: false }],
  ],
  [`export const a = process.env.KEY === "1";`, [{ name: "KEY", optional: true }]],
  ["export const a = process.env.KEY ? 1 : 2;", [{ name: "KEY", optional: true }]],
  ["export const a = !process.env.KEY;", [{ name: "KEY", optional: true }]],
  ["export const a = process.env.KEY?.trim();", [{ name: "KEY", optional: true }]],
  ["if (process.env.KEY) used.pop();", [{ name: "KEY", optional: true }]],
  ["if (process.env.KEY) used.pop();\nexport const a = process.env.KEY;", [{ name: "KEY", optional: false }]],
  [
    "/**\n * The key of the\n * weather.\n * @see there\n */\nexport const a = process.env.KEY;",
    [{ name: "KEY", description: "The key of the weather.", optional: false }],
  ],
  [
    "export const a = {\n  /** The key. */\n  key: process.env.KEY,\n};",
    [{ name: "KEY", description: "The key.", optional: false }],
  ],
  [
    "export const {\n  /** The key. */\n  KEY,\n  OTHER = 1,\n} = process.env;",
    [
      { name: "KEY", description: "The key.", optional: false },
      { name: "OTHER", default: "1", optional: true },
    ],
  ],
  [
    "export class A {\n  /** The key. */\n  key = process.env.KEY;\n}",
    [{ name: "KEY", description: "The key.", optional: false }],
  ],
  ["// process.env.KEY\nexport const a = 'process.env.KEY';", []],
  ["export const a = { env: { KEY: 1 } }.env.KEY;", []],
  ["export const a = (name: string) => process.env[name];", []],
  [
    `export const a = process.env.KEY ?? process.env.OTHER ?? "a";`,
    [
      { name: "KEY", optional: true },
      { name: "OTHER", default: "a", optional: true },
    ],
  ],
  [`process.env.KEY = "a";\ndelete process.env.OTHER;`, []],
  ["import * as all from 'node:process';\nexport const a = all.env.KEY;", [{ name: "KEY", optional: false }]],
  [
    "const own = process.env;\nexport const { KEY } = own, a = own.OTHER;",
    [
      { name: "KEY", optional: false },
      { name: "OTHER", optional: false },
    ],
  ],
  ["export const load = (from: NodeJS.ProcessEnv) => from.KEY;", [{ name: "KEY", optional: false }]],
  [`export const a = (process["env"] as { KEY: string }).KEY;`, [{ name: "KEY", optional: false }]],
  [`const name = "KEY";\nexport const a = process.env[name];`, [{ name: "KEY", optional: false }]],
  [
    `export class A {\n  /** Does it. */\n  do(key = process.env.KEY ?? "a") {\n    return key;\n  }\n}`,
    [{ name: "KEY", default: "a", optional: true }],
  ],
  [
    "export const { env: { KEY, OTHER = 1 } } = process;",
    [
      { name: "KEY", optional: false },
      { name: "OTHER", default: "1", optional: true },
    ],
  ],
  ["export const load = ({ KEY }: NodeJS.ProcessEnv) => KEY;", [{ name: "KEY", optional: false }]],
  [`export const a = "KEY" in process.env;`, [{ name: "KEY", optional: true }]],
])("the environment variables are found in %j", (source, variables) => {
  expect(read(source)?.variables).toEqual(variables);
});

it.each([
  ["export const a = (name: string) => process.env[name];", ["src/a.ts:3"]],
  ["export const a = (name: string) =>\n  env[`MY_${name}`] ?? env.OTHER;", ["src/a.ts:4"]],
  [`export const a = (name: "KEY" | "OTHER") => process.env[name];`, []],
  ["export const a = (name: string) => { process.env[name] = name; };", []],
  ["export const a = (name: string) => name in env;", ["src/a.ts:3"]],
  ["export const a = { ...process.env };", ["src/a.ts:3"]],
  ["export const a = Object.entries(process.env);", ["src/a.ts:3"]],
  [
    "const parse = <T>(from: unknown) => from as T;\nexport const a = parse<string>(process.env!);",
    ["src/a.ts:4"],
  ],
  ["export const a: Record<string, string | undefined> = env;", ["src/a.ts:3"]],
  ["export const a = process.env as Record<string, string>;", ["src/a.ts:3"]],
  [`export const a = [env.KEY, Reflect.get(env, "KEY")], b = [...Object.keys(env)];`, ["src/a.ts:3"]],
  ["let key;\n({ KEY: key } = process.env);\nexport const a = [key];", ["src/a.ts:4"]],
  ["for (const name in process.env) used.push({ name });", ["src/a.ts:3"]],
  ["export const a = (from: Iterable<string> | object) => from, b = a(env);", ["src/a.ts:3"]],
  [`export const load = (from: NodeJS.ProcessEnv = env) => from.KEY;\nload(process.env);`, []],
  ["export const a = { env: process.env }, b = a.env.KEY, c = () => env, d = c().KEY;", []],
  [
    "import { spawn } from 'node:child_process';\nspawn('ls', [], { env: { ...process.env, KEY: '1' } });\nspawn('ls', { env });",
    [],
  ],
  ["export type E = typeof process.env;\nexport const a = process.env ? used : env;", []],
])("the places where the names of variables are unknown are found in %j", (source, places) => {
  expect(read(source)?.unknownAt).toEqual(places);
});
