import { afterAll, describe, expect, it } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";

const project = createScratchProject("findAffected");
afterAll(() => project.remove());

const TOOLS = `
import { Prompt, Resource, Tool } from "@tenon/runtime";
import { greeting } from "./words.js";
import type { Place } from "./place.js";

const LIMIT = 3;

export class One {
  private readonly start = 1;
  /** Greets. */
  @Tool() greet(name: string): string { return greeting(name); }
  /** Counts. */
  @Tool() count(): number { return this.twice(LIMIT); }
  /** Goes. */
  @Tool() go(to: Place): string { return to.name; }
  /** Is independent. */
  @Tool() alone(): string { return "alone"; }
  private twice(n: number): number { return n * 2; }
}
export class Two {
  /** The climate of a year. */
  @Resource("climate://{year}") climate(year: number): string { return "warm " + year; }
  /** Plans. */
  @Prompt() plan(city: string): string { return greeting(city); }
}
`;
const WORDS = `export function greeting(name: string): string { return hello() + name; }
function hello(): string { return "Hello, "; }
export const unused = (): number => 1;
`;
const PLACE = `export interface Place { name: string }
`;

const FILES = { "src/tools.ts": TOOLS, "src/words.ts": WORDS, "src/place.ts": PLACE };

/** Returns the names of the declarations that errors affect, and the number of errors that affect none. */
async function findAffected(file: keyof typeof FILES, from: string, to: string): Promise<[string[], number]> {
  expect(FILES[file]).toContain(from);
  const compilation = project.compile({ ...FILES, [file]: FILES[file].replace(from, to) });
  const diagnostics = await compilation.typeCheck();
  const { declarations, others } = compilation.findAffected!(diagnostics);
  for (const { errors } of declarations) expect(errors.length).toBeGreaterThan(0);
  return [declarations.map(({ name }) => name.name).toSorted(), others.length];
}

describe("the declarations that an error affects", () => {
  it("are an empty list without errors", async () => {
    expect(await findAffected("src/place.ts", "name: string", "name: string; of?: string")).toEqual([[], 0]);
  });

  it.each([
    ["in the types of a method", "src/tools.ts", `return "alone"`, "return 1", ["alone"]],
    [
      "in a function that a method calls indirectly",
      "src/words.ts",
      `return "Hello, "`,
      "return 1",
      ["greet", "plan"],
    ],
    [
      "in another method of the class that a method calls",
      "src/tools.ts",
      "return n * 2",
      "return String(n)",
      ["count"],
    ],
    ["in a constant that a method reads", "src/tools.ts", "LIMIT = 3", `LIMIT: number = "3"`, ["count"]],
    ["in a type that a method names", "src/place.ts", "name: string", "name: Nope", ["go"]],
    [
      "in the initializer of a field",
      "src/tools.ts",
      "start = 1",
      "start: string = 1",
      ["alone", "count", "go", "greet"],
    ],
    ["in the path of an import", "src/tools.ts", "./words.js", "./nowhere.js", ["greet", "plan"]],
    [
      "in a statement of a module",
      "src/words.ts",
      "export const unused",
      "nope();\nexport const unused",
      ["greet", "plan"],
    ],
    [
      "in a type that has no schema",
      "src/tools.ts",
      "alone(): string",
      "alone(f: () => void): string",
      ["alone"],
    ],
    ["in the syntax of a method", "src/tools.ts", `return "alone"`, "return (", ["alone"]],
    ["in an unfinished statement", "src/words.ts", `return "Hello, "`, "return hello(.", ["greet", "plan"]],
  ] as const)("are found for an error %s", async (_, file, from, to, names) => {
    expect(await findAffected(file, from, to)).toEqual([names, 0]);
  });

  it("are none if nothing uses the erroneous code", async () => {
    expect(await findAffected("src/words.ts", "=> 1", `=> "1"`)).toEqual([[], 1]);
  });
});

it("a server of the unaffected declarations is emitted if each error belongs to a declaration", async () => {
  const { emit, emitOthers, manifest } = project.compile({
    ...FILES,
    "src/tools.ts": TOOLS.replace("alone(): string", "alone(f: () => void): string"),
  });
  expect(emit).toBeUndefined();
  expect(manifest?.tools.map(({ definition }) => definition.name)).toEqual(["count", "go", "greet"]);
  expect([...(await emitOthers!()).keys()]).toContain("app.js");
});
