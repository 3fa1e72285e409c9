import { describe, expect, it } from "vitest";
import { parseArguments, parsePromptArguments } from "../../packages/cli/src/call/parse-arguments.js";
import { Failure } from "../../packages/cli/src/terminal/failure.js";

const schema = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const },
    kind: { enum: ["1", "2"] },
    count: { type: "integer" as const },
    tags: { type: "array" as const, items: { type: "string" as const } },
    place: { type: "object" as const, properties: { zip: { type: "string" as const } } },
    "dotted.name": { type: "number" as const },
  },
};
const parse = (words: string[]): unknown => parseArguments(words, schema);

describe("arguments of a prompt on the command line", () => {
  it("are texts, whatever they look like", () => {
    const words = ["days=2.0", "city=a=b", "place.zip=1", '{"mood":"calm","n":1}'];
    expect(parsePromptArguments(words)).toEqual({
      days: "2.0",
      city: "a=b",
      "place.zip": "1",
      mood: "calm",
      n: "1",
    });
  });
});

describe("arguments on the command line", () => {
  it.each([
    { typed: ["name=Ada"], args: { name: "Ada" } },
    { typed: ["count=3"], args: { count: 3 } },
    { typed: ["name=3"], args: { name: "3" } },
    { typed: ["name=true"], args: { name: "true" } },
    { typed: ["kind=1"], args: { kind: "1" } },
    { typed: ["other=true"], args: { other: true } },
    { typed: ["other=null"], args: { other: null } },
    { typed: ["other=not json"], args: { other: "not json" } },
    { typed: ["name="], args: { name: "" } },
    { typed: ["name=a=b"], args: { name: "a=b" } },
    { typed: ['tags=["a","b"]'], args: { tags: ["a", "b"] } },
    { typed: ["tags=a"], args: { tags: ["a"] } },
    { typed: ["tags=1", "tags=2"], args: { tags: ["1", "2"] } },
    { typed: ["other=1", "other=2"], args: { other: [1, 2] } },
    { typed: ["place.zip=0150", "place.floor=2"], args: { place: { zip: "0150", floor: 2 } } },
    { typed: ["dotted.name=1"], args: { "dotted.name": 1 } },
    { typed: ['place={"zip":"0150"}'], args: { place: { zip: "0150" } } },
  ])("$typed", ({ typed, args }) => {
    expect(parse(typed)).toEqual(args);
  });

  it("adds pairs to the JSON object", () => {
    expect(parse(["place.floor=2", '{"name":"Ada","place":{"zip":"1"}}'])).toEqual({
      name: "Ada",
      place: { zip: "1", floor: 2 },
    });
  });

  it("treats prototype keys as data", () => {
    const args = parse(["__proto__.polluted=1"]) as object;
    expect(Object.keys(args)).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
  });

  it.each([
    { typed: ["name"], message: "`name` is not an argument." },
    { typed: ["=x"], message: "`=x` is not an argument." },
    { typed: ["{"], message: /^The arguments are not valid JSON: / },
    { typed: ["[1]"], message: "`[1]` is not an argument." },
  ])("refuses $typed as a usage error", ({ typed, message }) => {
    const act = (): unknown => parse(typed);
    expect(act).toThrow(message);
    expect(act).toThrow(expect.objectContaining({ exitCode: 2 }) as Failure);
  });
});
