import { describe, expect, test, vi } from "vitest";
// Internal: URI templates (RFC 6570) are tested without a server.
import { parseUriTemplate } from "../../packages/runtime/src/data/conversion/uri-template.js";

const match = (template: string, uri: string) => parseUriTemplate(template).match(uri);

describe("a URI template", () => {
  test.each([
    ["notes://{id}", "notes://7", { id: "7" }],
    ["notes://{id}", "notes://a%2Fb%20c", { id: "a/b c" }],
    ["notes://{id}", "notes://ünï", { id: "ünï" }],
    ["climate://{city}/{year}", "climate://Oslo/2020", { city: "Oslo", year: "2020" }],
    ["test://template/{id}/data", "test://template/123/data", { id: "123" }],
    ["x://{a}-{b}", "x://1-2-3", { a: "1", b: "2-3" }],
    ["x://{a}{b}", "x://12", { a: "1", b: "2" }],
    ["x://{+path}/end", "x://a/b/end/end", { path: "a/b/end" }],
    ["x://{+a}-{b}", "x://x-y/z-w", { a: "x-y/z", b: "w" }],
    ["file:///{+path}", "file:///etc/passwd", { path: "etc/passwd" }],
    ["x://a{/b,c}", "x://a/1/2", { b: "1", c: "2" }],
    ["x://a{/rest*}", "x://a/1/2/3", { rest: ["1", "2", "3"] }],
    ["x://a{/rest*}", "x://a", {}],
    ["x://a{.ext}", "x://a.txt", { ext: "txt" }],
    ["x://a{.ext}", "x://a.tar.gz", { ext: "tar.gz" }],
    ["x://{name}{.ext}", "x://a.tar.gz", { name: "a", ext: "tar.gz" }],
    ["x://a{;p,q}", "x://a;p=1;q=2", { p: "1", q: "2" }],
    ["x://a{?q,lang}", "x://a?q=1&lang=en", { q: "1", lang: "en" }],
    ["x://a{?q,lang}", "x://a?lang=en", { lang: "en" }],
    ["x://a{?q,lang}", "x://a", {}],
    ["x://a{?tag*}", "x://a?tag=1&tag=2", { tag: ["1", "2"] }],
    ["x://a?fixed=1{&q}", "x://a?fixed=1&q=2", { q: "2" }],
    ["x://a{#part}", "x://a#top/left", { part: "top/left" }],
    ["x://{a,b}", "x://1,2", { a: "1", b: "2" }],
    ["x://{id}", "x://__proto__", { id: "__proto__" }],
    ["file:///{+rest}", "file:///", { rest: "" }],
    ["x://{+rest}/end", "x:///end", { rest: "" }],
    ["x://{+rest*}", "x://", { rest: [] }],
    ["x://{+a,b}", "x://1/2,3", { a: "1/2", b: "3" }],
    ["x://{path*}", "x://a,b%2Cc,d", { path: ["a", "b,c", "d"] }],
    ["x://{path*}", "x://a", { path: ["a"] }],
    ["x://{first,rest*}", "x://1,2,3", { first: "1", rest: ["2", "3"] }],
    ["x://a{/rest*,last}", "x://a/1/2/3", { rest: ["1", "2"], last: "3" }],
    ["x://a{.all*}", "x://a.b.c", { all: ["b", "c"] }],
    ["x://a{#all*}", "x://a#b,c", { all: ["b", "c"] }],
    ["x://a{;all*}", "x://a;all=b;all=c", { all: ["b", "c"] }],
    ["x://{id:3}", "x://abc", { id: "abc" }],
    ["x://{id:3}", "x://%C3%A9%F0%9F%99%82x", { id: "é🙂x" }],
    ["x://{id:1}/{id}", "x://a/abc", { id: "abc" }],
    ["x://{id}/{id:1}", "x://abc/a", { id: "abc" }],
    ["x://{id:1}/{id:2}", "x://a/ab", { id: "ab" }],
    ["x://{id}/{id}", "x://a/a", { id: "a" }],
    ["x://a{?id:2}", "x://a?id=ab", { id: "ab" }],
    ["x://café/{a.b}", "x://caf%C3%A9/1", { "a.b": "1" }],
    ["x://caf%C3%A9/{id}", "x://café/ü", { id: "ü" }],
  ])("%s reads %s", (template, uri, expected) => {
    expect(match(template, uri)).toEqual(expected);
  });

  test.each([
    ["notes://{id}", "notes://"],
    ["notes://{id}", "notes://a/b"],
    ["notes://{id}", "notes://a?b"],
    ["notes://{id}", "notes://%"],
    ["notes://{id}", "notes://%ff"],
    ["notes://{id}", "NOTES://7"],
    ["climate://{city}/{year}", "climate://Oslo"],
    ["test://template/{id}/data", "test://template/123/dat"],
    ["x://a{/b}", "x://a/1/2"],
    ["x://a{?q}", "x://a?other=1"],
    ["x://a{?q}", "x://a?q=1&q=2"],
    ["x://{id}", `x://${"a".repeat(70_000)}`],
    ["x://{id}", "x://\ud800"],
    ["x://{id:3}", "x://abcd"],
    ["x://{id:1}/{id}", "x://b/abc"],
    ["x://{id}/{id}", "x://a/b"],
    ["x://a{?q:1}", "x://a?q=12"],
  ])("%s does not match %s", (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  test.each([
    "x://{",
    "x://}",
    "x://{}",
    "x://{a",
    "x://{a:}",
    "x://{a:0}",
    "x://{a:10000}",
    "x://{a:3*}",
    "x://{a b}",
    "x://{!a}",
    "x://{a,}",
  ])("%s is rejected", (template) => {
    expect(() => parseUriTemplate(template)).toThrow(SyntaxError);
  });

  test.each([
    ["x://{ids}", "x://a,b%2Cc", { ids: ["a", "b,c"] }],
    ["x://{ids}", "x://a", { ids: ["a"] }],
    ["x://a{/ids}", "x://a/b,c", { ids: ["b", "c"] }],
    ["x://a{?ids,q}", "x://a?ids=b,c&q=d,e", { ids: ["b", "c"], q: "d,e" }],
    ["x://a{?ids}", "x://a?ids=", { ids: [] }],
    ["x://a{?ids*}", "x://a?ids=b,c&ids=d", { ids: ["b,c", "d"] }],
  ])("%s, with `ids` as a list, reads %s", (template, uri, expected) => {
    expect(parseUriTemplate(template, new Set(["ids"])).match(uri)).toEqual(expected);
  });

  test("exposes its variables and how much of it is fixed", () => {
    const { variables, specificity } = parseUriTemplate("climate://{city}/{year}{?units}");
    expect(variables).toEqual(["city", "year", "units"]);
    expect(specificity).toBe("climate:///".length);
    expect(parseUriTemplate("climate://{+path}").specificity).toBeLessThan("climate://".length);
  });

  test.each(["", "+", "#", ".", "/", ";", "?", "&"])(
    "{%sx*} visits each character a constant number of times",
    (operator) => {
      const template = parseUriTemplate(`x://{${operator}a*}-{${operator}b*}-{${operator}c}!`);
      for (const unit of [",", "-", "/", "=", "&", "a,-/"]) {
        const text = `x://${unit.repeat(1000 / unit.length)}`;
        const spies = [vi.spyOn(String.prototype, "charCodeAt"), vi.spyOn(String.prototype, "startsWith")];
        const found = template.match(text);
        const looks = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
        for (const spy of spies) spy.mockRestore();
        expect(found).toBeUndefined();
        expect(looks).toBeGreaterThan(text.length);
        expect(looks).toBeLessThan(10 * text.length);
      }
    },
  );
});
