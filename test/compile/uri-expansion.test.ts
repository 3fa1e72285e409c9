import { expect, test } from "vitest";
import { parseTemplate } from "url-template";
// Internal: the generated client contains its text.
import { expandUri } from "../../packages/compiler/src/write/uri-expansion.js";

const VALUES = {
  text: "value",
  reserved: "/a b?c=d&e#f",
  encoded: "50% é 😀",
  empty: "",
  list: ["x y", "z,"],
};

const OPERATORS = ["", "+", "#", ".", "/", ";", "?", "&"];

const LISTS = [
  ...Object.keys(VALUES).flatMap((name) => [name, `${name}*`]),
  ...["text:3", "encoded:4", "text:9", "text,list*,empty", "missing,text", "missing*,text"],
];

test.each(OPERATORS)("expressions with the operator “%s” are expanded as by url-template", (operator) => {
  for (const list of LISTS) {
    const template = `a://b/{${operator}${list}}/c`;
    expect(expandUri(template, VALUES), template).toBe(parseTemplate(template).expand(VALUES));
  }
});

// The package differs from the RFC here.
test.each([
  ["a:{?none}", "a:"],
  ["a:{;none*}", "a:"],
  ["a:{;list*}", "a:;list=x;list"],
])("%s is expanded to %s", (template, expected) => {
  expect(expandUri(template, { none: [], list: ["x", ""] })).toBe(expected);
});
