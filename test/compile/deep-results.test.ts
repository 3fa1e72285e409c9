/**
 * Results of types that refer to themselves through alternatives. If each alternative examined the same member again, the
 * work would double at every level, and these tests would never end.
 */
import { describe, expect, test } from "vitest";
// Internal: conversion plans are a contract between compiler and runtime.
import { createDataWriter } from "../../packages/runtime/src/data/results/data-writer.js";
import { toJson } from "../../packages/runtime/src/data/conversion/conversion.js";
import { createTypeProject } from "./type-project.js";

const LEVELS = 200;

const project = createTypeProject({
  dated: "export type Row = { next?: Row; at?: Date };",
  plain: "export type Row = { next?: Row; a?: string } | { next?: Row; b?: number };",
  converted:
    "export type Row = { next?: Row; a?: Map<string, number> } | { next?: Row; b?: Map<string, number> };",
});

function createWriter(name: "plain" | "converted" | "dated"): (value: unknown) => unknown {
  const { derived } = project.type(name, "output");
  if (!derived) throw new Error("No schema was derived.");
  return createDataWriter(derived, derived.exact ?? derived.schema, toJson);
}

function nest(levels: number, innermost: object): object {
  let value = innermost;
  for (let level = 1; level < levels; level++) value = { next: value };
  return value;
}

describe(`a result of ${LEVELS} levels, each of which fits two alternatives,`, () => {
  test("contains the getters of an instance at the innermost level", () => {
    class Last {
      get b(): number {
        return 1;
      }
    }
    expect(createWriter("plain")(nest(LEVELS, new Last()))).toEqual(nest(LEVELS, { b: 1 }));
  });

  test.each(["a", "b"])("is converted by the alternative that declares its map `%s`", (name) => {
    const value = nest(LEVELS, { [name]: new Map([["x", 1]]) });
    expect(createWriter("converted")(value)).toEqual(nest(LEVELS, { [name]: { x: 1 } }));
  });
});

test("a result that is too deep to be converted is rejected with the limit", () => {
  expect(() => createWriter("converted")(nest(990, {}))).toThrow(
    expect.objectContaining({
      name: "ToolError",
      message: "The result is nested too deeply to be converted: more than 250 levels.",
    }),
  );
});

test.each(["plain", "converted", "dated"] as const)(
  "a %s result that contains itself is explained",
  (name) => {
    const value: { next?: object } = {};
    value.next = { next: value };
    expect(() => createWriter(name)(value)).toThrow(
      "A circular value cannot be written as JSON: `next` refers to a value that contains it.",
    );
  },
);
