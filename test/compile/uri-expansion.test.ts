import { parseUriTemplate } from "@tenon/runtime/uri-template";
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

test.each([
  ["a://{x}/{l}/{l*}", "a://a%20%2F%25/p,q%2Cr/p,q%2Cr"],
  ["a://{+x}{+l}{+l*}", "a://a%20/%25p,q,rp,q,r"],
  ["a://{#x}{#l*}", "a://#a%20/%25#p,q,r"],
  ["a://{.x,l}{.l*}", "a://.a%20%2F%25.p,q%2Cr.p.q%2Cr"],
  ["a://{/x,l}{/l*}", "a:///a%20%2F%25/p,q%2Cr/p/q%2Cr"],
  ["a://{;x,e,l}{;l*}", "a://;x=a%20%2F%25;e;l=p,q%2Cr;l=p;l=q%2Cr"],
  ["a://{?x,e,l*}{&l,x:2}", "a://?x=a%20%2F%25&e=&l=p&l=q%2Cr&l=p,q%2Cr&x=a%20"],
  ["a://{s}/{+s}", "a://%21%27%28%29%2A%5B~/!'()*[~"],
  // The package of the test above keeps empty lists, and writes `;l=` for an empty item.
  ["a://{none}{/empty*}{?none,empty*}{?empty,x}", "a://?x=a%20%2F%25"],
  ["a://{;gap*}", "a://;gap=x;gap"],
])("a URI template is expanded as RFC 6570 defines: %s", (template, uri) => {
  expect(
    expandUri(template, { x: "a /%", s: "!'()*[~", e: "", l: ["p", "q,r"], empty: [], gap: ["x", ""] }),
  ).toBe(uri);
});

test.each(["a://{x}{/l*}", "a://{x}{?l*,e}", "a://{+x}/{.l*}", "a://{x}{;l*}"])(
  "a server reads the values with which a client expands a URI template: %s",
  (template) => {
    const values = { x: "ü /%20?", l: ["p", "q,r", "s t"], ...(template.includes("e") && { e: "" }) };
    expect(parseUriTemplate(template).match(expandUri(template, values))).toEqual(values);
  },
);
