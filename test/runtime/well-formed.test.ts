import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
// Internal: any JSON text becomes the text of valid Unicode; random texts are tested, which needs no server.
import { toWellFormedJson } from "../../packages/runtime/src/protocol/well-formed.js";
import {
  toErrorText,
  toNotificationText,
  toResultText,
} from "../../packages/runtime/src/protocol/jsonrpc.js";
import { LATEST } from "../../packages/runtime/src/protocol/revisions.js";
import { toStructuredResult } from "../../packages/runtime/src/data/results/tool-result.js";

const LONE = /\\u[dD][89a-fA-F]/;

describe("half a surrogate pair", () => {
  it.each([
    ["alone", '"a\\ud800b"', "a\ufffdb"],
    ["the second half alone", '"\\udc00"', "\ufffd"],
    ["in capitals", '"\\uD83D"', "\ufffd"],
    ["the wrong way round", '"\\udc00\\ud800"', "\ufffd\ufffd"],
    ["twice before a second half", '"\\ud83d\\ud83d\\ude00"', "\ufffd😀"],
    ["in a name", '{"\\ud800":1}', { "\ufffd": 1 }],
    ["after an escaped backslash", '"\\\\\\ud800"', "\\\ufffd"],
  ])("becomes U+FFFD: %s", (_, text, value) => {
    expect(JSON.parse(toWellFormedJson(text))).toEqual(value);
  });

  it.each([
    ["a pair", '"\\ud83d\\ude00"'],
    ["a pair in mixed case", '"\\uD83d\\udE00"'],
    ["a backslash before a `u`", '"\\\\ud800"'],
    ["text without escapes", '"😀"'],
  ])("is not found in %s", (_, text) => {
    expect(toWellFormedJson(text)).toBe(text);
  });

  it("never remains in random text, whose other characters are unchanged", () => {
    const part = fc.constantFrom("a", "\\", '"', "\ud800", "\udc00", "😀", "ud800", "\n");
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join("");
        const replaced = text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
        expect(JSON.parse(toWellFormedJson(JSON.stringify(text)))).toBe(replaced);
      }),
    );
  });

  it("does not leave the server in any message", () => {
    const texts = [
      toResultText(1, JSON.stringify({ content: [{ type: "text", text: "\ud800" }] })),
      toErrorText(1, -32603, "\ud800"),
      toNotificationText("notifications/message", { data: "\udc00" }),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(LONE);
      expect(text).toContain("\ufffd");
    }
  });

  it("is replaced in the text of data too, which is JSON inside JSON", () => {
    const plan = {
      listed: undefined,
      exact: undefined,
      isDeep: true,
      write: (value: unknown) => value,
    };
    const result = toStructuredResult({ a: "\ud800" }, plan, LATEST, undefined);
    expect(result.content).toEqual([{ type: "text", text: '{"a":"\ufffd"}' }]);
  });
});
