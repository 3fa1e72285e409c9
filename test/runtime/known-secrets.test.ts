import { expect, test } from "vitest";
// Internal: the spellings and the number of secrets, whichever log they are masked for.
import { createKnownMask } from "../../packages/runtime/src/observe/log/known-secrets.js";

test.each([
  ["The PIN 12345 is wrong.", ["12345"], "The PIN (secret) is wrong."],
  ["pin_12345_old", ["12345"], "pin_(secret)_old"],
  [String.raw`{"text":"PIN:\n12345"}`, ["12345"], String.raw`{"text":"PIN:\n(secret)"}`],
  [String.raw`{"text":"PIN:\u00a012345"}`, ["12345"], String.raw`{"text":"PIN:\u00a0(secret)"}`],
  ["/search?q=PIN%2012345", ["12345"], "/search?q=PIN%20(secret)"],
  ["Order 9123456 of 51234", ["12345", "1234"], "Order 9123456 of 51234"],
  ["hunter2-9f8e7d and hunter2", ["hunter2", "hunter2-9f8e7d"], "(secret) and (secret)"],
  ["/login?p=a%2Fb+c%21&q=a%2Fb%20c!", ["a/b c!"], "/login?p=(secret)&q=(secret)"],
  [String.raw`{"line":"a\"b\\c\td"}`, ['a"b\\c\td'], '{"line":"(secret)"}'],
  ['The code must be 1 (got "hunter2-9f8…).', ["hunter2-9f8e7d"], 'The code must be 1 (got "(secret)…).'],
  [
    'Unexpected token, ..."[1, hunter2-9f"... is not valid JSON',
    ["hunter2-9f8e7d"],
    'Unexpected token, ..."[1, (secret)"... is not valid JSON',
  ],
  ['… 9f8e7d"}', ['{"key": 9f8e7d"}'], "…(secret)"],
  ["…2-9f8e… and …", ["hunter2-9f8e7d"], "…(secret)… and …"],
  ["/login?p=a%2Fb+c%21hun…", ["a/b c!hunter2"], "/login?p=(secret)…"],
  ["Loading... please wait...", ["please wait while loading"], "Loading... (secret)..."],
  ["…bcdefghi…", ["abcdef", "efghij"], "…(secret)(secret)…"],
  ["Loading…", ["hunter2-9f8e7d"], "Loading…"],
  ["nothing", ["", "else"], "nothing"],
  ["\ud800 broken", ["\ud800 broken"], "(secret)"],
  ["a.b*c[d] a.b*c[d]", ["a.b*c[d]"], "(secret) (secret)"],
])("%s without %j is %s", (text, secrets, masked) => {
  expect(createKnownMask(secrets)(text)).toBe(masked);
});

test("a secret as long as a file is masked", () => {
  const secret = "0123456789".repeat(100_000);
  expect(createKnownMask([secret, "12345"])(`<${secret}> 12345`)).toBe("<(secret)> (secret)");
});

test("thousands of secrets are masked in thousands of strings, in order of their length", () => {
  const secrets = Array.from({ length: 5000 }, (_, index) => `secret-${index}`);
  const texts = secrets.map((secret) => `The value ${secret}.`);
  const mask = createKnownMask(secrets);
  for (const text of texts) expect(mask(text)).toBe("The value (secret).");
});

test("thousands of cuts are searched for the parts of thousands of long secrets", () => {
  const secrets = Array.from({ length: 5000 }, (_, index) => `${"a".repeat(500)}${index}`);
  const mask = createKnownMask(secrets);
  expect(mask("aaaaaaaa… bbbb".repeat(2000))).not.toContain("aaaa");
});

test.each([
  ["many cuts", "aaab".repeat(100_000), "aaaz…".repeat(50_000)],
  ["one long part", "a".repeat(1_000_000), `…${"a".repeat(990_000)}`],
  ["one long part that differs in its first character", "a".repeat(1_000_000), `b${"a".repeat(990_000)}…`],
  ["long parts of a repeated text", "aaab".repeat(100_000), `${"aaab".repeat(1000)}z…`.repeat(1000)],
])(
  "parts of a secret as long as a file are searched in time that grows with the text: %s",
  (_, secret, text) => {
    const mask = createKnownMask([secret]);
    // A search through the secret for each cut or each length would exceed the time limit of every test.
    expect(mask(text)).not.toMatch(/(?<=…)a{8}|a{8}(?=…)/);
  },
);

test("parts of thousands of secrets are masked up to any length", () => {
  const rest = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(2);
  const secrets = Array.from({ length: 3000 }, (_, index) => `${String(index).padStart(5, "0")}-${rest}`);
  expect(createKnownMask(secrets)(`got "00007-${rest.slice(0, 60)}…`)).toBe('got "(secret)…');
});

test("text is hidden with its reason if the secrets are too many", () => {
  const secrets = Array.from({ length: 10_001 }, (_, index) => `secret-${index}`);
  expect(createKnownMask(secrets)("secret-7")).toBe("(hidden: the call has 10001 secrets)");
  expect(createKnownMask([...secrets.slice(1), "secret-1"])("secret-7")).toBe("(secret)");
});
