import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
// Internal: any text becomes safe text; random texts are tested, which needs no server.
import {
  createResultSanitizer,
  createTextSanitizer,
} from "../../packages/runtime/src/data/results/sanitize.js";
import { connect } from "@tenon/runtime/testing";
import { quietServer } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";
import { Tools } from "./fixture/src/handlers.js";

const remove = createTextSanitizer("remove");
const escape = createTextSanitizer("escape");
const off = createTextSanitizer("off");

const ESC = "\u001B";
const ENGLAND = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";

/** Text, and the text that remains of it. */
const UNSAFE: [what: string, text: string, removed: string][] = [
  ["colors", `${ESC}[1;31mred${ESC}[0m`, "red"],
  ["colors in one byte", "\u009B31mred\u009B0m", "red"],
  ["movements of the cursor", `a${ESC}[2J${ESC}[1;1Hb`, "ab"],
  ["a title", `${ESC}]0;title\u0007text`, "text"],
  ["a link", `${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`, "link"],
  ["the clipboard", `${ESC}]52;c;AAAA${ESC}\\text`, "text"],
  ["a command without an end", `a${ESC}]0;b`, "a0;b"],
  ["a choice of letters", `${ESC}(Btext${ESC}c`, "text"],
  ["an escape at the end", `text${ESC}`, "text"],
  ["zero, bell, and backspace", "a\0b\u0007c\u0008d", "abcd"],
  ["a delete and a form feed", "a\u007Fb\u000Cc", "abc"],
  ["controls of Latin-1", "a\u0080b\u009Fc", "abc"],
  ["a carriage return that overwrites", "safe\revil", "safe\nevil"],
  ["a next line", "a\u0085b", "a\nb"],
  ["overrides", "if (user\u202E // admin\u202C) {", "if (user // admin) {"],
  ["isolates", "a\u2066b\u2069c\u2067d\u2068e", "abcde"],
  ["invisible letters", "hello\u{E0001}\u{E0068}\u{E0069}\u{E007F}", "hello"],
];

/** Texts that people write in their languages, and programs write in their files. */
const LEGITIMATE = [
  "tabs\tand\nline\r\nends",
  "שלום\u200F, עולם \u200Ehi\u200E!",
  "مرحبا\u061C 5",
  "می\u200Cخواهم",
  "क्\u200Dष",
  "👩\u200D👩\u200D👧\u200D👦 👍🏽 ☎\uFE0F",
  `${ENGLAND} 🇳🇴`,
  "ภาษา\u200Bไทย",
  "soft\u00ADhyphen, no\u00A0break, \uFEFFmark, 漢字\u{E0100}",
  "a \\u001b[31m that is written out",
];

/** Calls a tool that returns this text as data. */
async function callWithCity(city: string) {
  const tools = new Tools();
  tools.conditions = () => ({ city, celsius: 21.5, units: "metric" });
  const client = await connect(quietServer(createFixture({ provide: [tools] })));
  const { structuredContent, content } = await client.callTool("conditions", { city: "Oslo" });
  client.close();
  return { structuredContent, text: (content as { text: string }[])[0]?.text ?? "" };
}

describe.each(UNSAFE)("unsafe characters (%s)", (_what, text, removed) => {
  test("are removed, and nothing else is", () => {
    expect(remove(text)).toBe(removed);
    expect(remove(`before ${text}`)).toBe(`before ${removed}`);
    expect(remove(removed)).toBe(removed);
  });

  test("are escaped, or left alone, as configured", () => {
    expect(escape(text)).toMatch(/^[\n -~]*$/);
    expect(off(text)).toBe(text);
  });

  test("keep their value in JSON", () => {
    const shown = remove(JSON.stringify({ text }));
    expect(shown).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(shown)).toEqual({ text });
  });

  test("stay in data, and are escaped in its text", async () => {
    const { structuredContent, text: shown } = await callWithCity(text);
    expect(structuredContent).toMatchObject({ city: text });
    expect(shown).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(shown)).toEqual(structuredContent);
  });
});

test.each(LEGITIMATE)("%j is unchanged", (text) => {
  expect(remove(text)).toBe(text);
  expect(escape(text)).toBe(text);
  const result = { content: [{ type: "text", text }] };
  expect(createResultSanitizer("remove")(result)).toBe(result);
});

test("escapes are written as in JSON and JavaScript", () => {
  expect(escape(`${ESC}[31m\u202E`)).toBe("\\u001b[31m\\u202e");
});

describe("results", () => {
  const sanitize = createResultSanitizer("remove");

  test("are sanitized, whatever their kind", () => {
    const text = `${ESC}[31mA`;
    const resource = { uri: "a:b", text };
    expect(
      sanitize({
        content: [
          { type: "text", text },
          { type: "resource", resource },
          { type: "resource_link", uri: "a:b", name: text, title: text, description: text },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
        structuredContent: { text },
        isError: true,
      }),
    ).toEqual({
      content: [
        { type: "text", text: "A" },
        { type: "resource", resource: { uri: "a:b", text: "A" } },
        { type: "resource_link", uri: "a:b", name: "A", title: "A", description: "A" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
      structuredContent: { text },
      isError: true,
    });
    expect(sanitize({ messages: [{ role: "user", content: { type: "text", text } }] })).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "A" } }],
    });
    expect(sanitize({ contents: [resource, { uri: "a:c", blob: "AAAA" }] })).toEqual({
      contents: [
        { uri: "a:b", text: "A" },
        { uri: "a:c", blob: "AAAA" },
      ],
    });
  });

  test("are copied only if something changes", () => {
    const result = { content: [{ type: "text", text: `${ESC}[31mA` }] };
    sanitize(result);
    expect(result.content[0]?.text).toBe(`${ESC}[31mA`);
  });
});

test("sanitized text keeps all its letters, and has no control characters", () => {
  const character = fc.constantFrom(
    ESC,
    "[",
    "]",
    ";",
    "3",
    "m",
    "\u0007",
    "\u009B",
    "\u202E",
    "é",
    "\n",
    "\r",
    "a",
  );
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 40 }), (text) => {
      const shown = remove(text);
      expect(shown).not.toMatch(/[^\n\r\u0020-\u007Eé]/);
      expect(shown).not.toMatch(/\r(?!\n)/);
      expect(remove(shown)).toBe(shown);
      expect(escape(text).replaceAll(/\\u[0-9a-f]{4}/g, "")).not.toMatch(/[^\n\r\u0020-\u007Eé]/);
    }),
    { seed: 20_260_728, numRuns: 2000 },
  );
});

test("unterminated sequences take linear time", () => {
  const text = `${ESC}]`.repeat(50_000) + `${ESC}[${"0".repeat(100_000)}`;
  expect(remove(text)).toHaveLength(100_000);
});
