import type { CheckedFormat } from "@tenon/runtime/manifest";
import { formats, ucs2length, equal } from "@tenon/runtime/validation";
import { describe, expect, test, vi } from "vitest";
import { matchingSteps } from "../support/matching-steps.js";

const SAMPLES: Record<string, { valid: string[]; invalid: string[] }> = {
  "date-time": {
    valid: [
      "2026-07-28T09:30:00Z",
      "2026-07-28t09:30:00.123456z",
      "2024-02-29T23:59:60Z",
      "2024-03-01T05:29:60+05:30",
      "2024-02-29T15:59:60.5-08:00",
      "2026-07-28 09:30:00Z",
    ],
    invalid: [
      "",
      "2026-07-28",
      "2026-07-28T09:30:00",
      "2025-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-07-28T24:00:00Z",
      "2026-07-28T09:30Z",
      "2026-07-28T22:59:60Z",
      "2024-02-29T23:59:60+05:30",
      "2026-07-28T23:59:61Z",
    ],
  },
  date: {
    valid: ["2026-07-28", "2000-02-29"],
    invalid: ["1900-02-29", "2026-7-28", "2026-04-31", "20260728"],
  },
  time: {
    valid: ["09:30:00Z", "09:30:00.5+01:00"],
    invalid: ["09:30:00", "9:30:00Z", "25:00:00Z", "09:30:00+25:00"],
  },
  duration: {
    valid: ["P1D", "PT1H30M", "P1Y2M3DT4H5M6S", "PT0.5S", "P2W"],
    invalid: ["", "P", "PT", "P1", "1D", "P1DT", "P1H", "PT1D", "P1W2D"],
  },
  email: {
    valid: ["ada@example.com", "a.b+c@sub.example.org", "ünï@exämple.com", "a@[192.0.2.1]", "root@localhost"],
    invalid: [
      "",
      "ada",
      "@example.com",
      "ada@",
      ".a@example.com",
      "a..b@example.com",
      "a b@example.com",
      "a@b",
      "a@exa mple.com",
    ],
  },
  hostname: {
    valid: ["example.com", "a-b.c", "localhost"],
    invalid: ["", "-a.com", "a..b", "a_b.com", `${"a".repeat(64)}.com`],
  },
  ipv4: { valid: ["192.0.2.1", "0.0.0.0"], invalid: ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5", ""] },
  ipv6: {
    valid: ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
    invalid: ["", ":", "1:2:3:4:5:6:7", "1::2::3", "::12345", "1:2:3:4:5:6:7:8:9", "::192.0.2.1:1"],
  },
  uri: {
    valid: ["https://example.com/a?b=c#d", "urn:isbn:0451450523", "mailto:a@b.c", "file:///etc/hosts"],
    invalid: [
      "",
      "example.com",
      "//example.com",
      "https://exa mple.com",
      "https://example.com/%zz",
      "https://example.com/<x>",
    ],
  },
  "uri-reference": { valid: ["/a/b", "?q=1", "https://example.com", ""], invalid: ["a b", "\\a", "%zz"] },
  uuid: {
    valid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
    invalid: [
      "123e4567e89b12d3a456426614174000",
      "123e4567-e89b-12d3-a456-42661417400",
      "g23e4567-e89b-12d3-a456-426614174000",
    ],
  },
  regex: { valid: ["^a+$", "", "[a-z]"], invalid: ["(", "[", "\\"] },
  "json-pointer": { valid: ["", "/a/0", "/a~1b/~0"], invalid: ["a", "/a~", "/~2"] },
  byte: {
    valid: ["", "SGVsbG8=", "SGVsbG8h", "SA=="],
    invalid: ["SGVsbG8", "SGVs!G8=", "=", "SA=A", "SGVsbG8_"],
  },
  "uri-template": { valid: ["a{b}", "plain", "{a}{b}"], invalid: ["a{", "a}", "{}", "{a}}"] },
};

describe.each(Object.entries(SAMPLES))("the format %s", (name, { valid, invalid }) => {
  const check = formats[name as CheckedFormat];
  test.each(valid)("accepts %j", (text) => expect(check(text)).toBe(true));
  test.each(invalid)("rejects %j", (text) => expect(check(text)).toBe(false));
});

/** Returns how many characters all regular expressions of a format examine in total. */
function countSteps(validate: (text: string) => boolean, text: string): number {
  const { exec } = RegExp.prototype;
  let steps = 0;
  let isCounting = false;
  const spy = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, given: string) {
    if (!isCounting) {
      isCounting = true;
      steps += matchingSteps(this, given).steps;
      isCounting = false;
    }
    return exec.call(this, given);
  });
  try {
    validate(text);
  } finally {
    spy.mockRestore();
  }
  return steps;
}

test.each(Object.entries(formats))(
  "the format %s visits each character a constant number of times",
  (_, validate) => {
    const units = ["a", "1", ".", "-", ":", "@", "%", "/", " ", "=", "P1", "1:", "a.", "\u00fc", "{"];
    for (const unit of units) {
      for (const length of [63, 251, 500]) {
        const text = unit.repeat(length).slice(0, length);
        for (const hostile of [text, `${text}!`, `a@${text}`]) {
          expect(countSteps(validate, hostile) / hostile.length, hostile).toBeLessThan(10);
        }
      }
    }
  },
);

test("the step counter of this test counts each character", () => {
  expect(countSteps((text) => /^a*!$/.test(text), "a".repeat(100))).toBeGreaterThan(100);
});

test("length is counted in characters", () => {
  for (const text of ["", "abc", "é", "🙂", "a🙂b🙂", "\ud83d", "\ude42\ud83d", "👩‍👩‍👧"]) {
    expect(ucs2length(text)).toBe(Array.from(text).length);
  }
});

test("equality compares values deeply", () => {
  expect(equal({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toBe(true);
  expect(equal({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal([], {})).toBe(false);
  expect(equal(null, {})).toBe(false);
  expect(equal({ a: 1 }, { b: 1 })).toBe(false);
  expect(equal(JSON.parse('{"__proto__":1}'), {})).toBe(false);
});
