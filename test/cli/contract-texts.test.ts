/**
 * An oracle for prompts and resource templates, whose clients send text: where a text shows that an entry accepts less than
 * another, a change from one to the other breaks clients according to the contract.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: changes between any two entries, without a contract for each.
import { compareEntries } from "../../packages/cli/src/compare/definition-changes.js";
import { type BuiltServer, buildServer } from "../support/built-server.js";

/** Parameters as the author writes them, each with the name `a`. */
const PARAMETERS = [
  "a: string",
  "a?: string",
  'a = "x"',
  "/** @minLength 2 */ a: string",
  "/** @maxLength 3 */ a: string",
  "/** @minLength 2 @maxLength 3 */ a: string",
  "/** @pattern ^a */ a: string",
  "/** @format email */ a: string",
  "a: number",
  "a?: number",
  "a = 5",
  "/** @integer */ a: number",
  "/** @minimum 1 */ a: number",
  "/** @exclusiveMinimum 1 */ a: number",
  "/** @minimum 1 @maximum 2 */ a: number",
  "/** @multipleOf 2 */ a: number",
  "a: bigint",
  "/** @minimum 1 */ a: bigint",
  "a: boolean",
  "a?: boolean",
  "a: Date",
  "/** @format date */ a: Date",
  "a: URL",
  "a: Uint8Array",
  "a: RegExp",
  'a: "a" | "b"',
  'a: "a" | "b" | "abc"',
  'a?: "a"',
  'a: "1" | "2"',
  "a: 1 | 2",
  "a: 1 | 2 | 3",
  "a: 1n | 2n",
  'a: number | "auto"',
  'a: boolean | "auto"',
  'a: Date | "auto"',
  "a: `v${number}`",
  "a: `v${string}`",
  "a: `${number}`",
  "a: Level",
  "a: Id",
  "a: string | number",
];

const TEXTS = (
  "|a|b|ab|abc|abcd|x y|0|1|2|3|4|5|-1|1.5|01|1e3|9007199254740993|true|false|True|auto|null|2020-01-01|" +
  "2020-01-01T00:00:00Z|2020-01-01T10:00|http://x.y/|ada@example.com|v|v1|v1.2|vx|aGk=|/a/g|[1]|{}|LOW|low|é"
).split("|");

const SOURCE = `import { Prompt, Resource } from "@tenon/runtime";
enum Level { Low = "low", High = "high" }
type Id = string & { readonly __brand: "Id" };
export class Texts {
${PARAMETERS.map(
  (parameter, index) => `
  /** Gets. */ @Prompt() p${index}(${parameter}): string { return "ok" + String(a); }
  ${
    /\ba\?|\ba = /.test(parameter)
      ? ""
      : `/** Reads. @mimeType text/plain */ @Resource("r${index}://{a}") r${index}(${parameter}): string { return "ok" + String(a); }`
  }`,
).join("\n")}
}
`;

let built: BuiltServer;
let manifest: Manifest;
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  built = await buildServer({ "src/texts.ts": SOURCE });
  manifest = JSON.parse(readFileSync(join(built.root, "dist/tenon.manifest.json"), "utf8")) as Manifest;
  client = await connect(await built.load(), { showErrors: false });
});
afterAll(async () => {
  await client.close();
  built.remove();
});

/** Returns whether the server accepts each string, and for prompts also no argument. */
async function listAccepted(method: string, requests: readonly object[]): Promise<boolean[]> {
  const accepted: boolean[] = [];
  for (const params of requests) {
    const outcome = await client.request(method, params as Record<string, unknown>).then(
      () => true,
      () => false,
    );
    accepted.push(outcome);
  }
  return accepted;
}

describe.each(["prompt", "resource template"] as const)("a change of the parameter of a %s", (kind) => {
  it("reports that clients break if a string is no longer accepted", async () => {
    const list = kind === "prompt" ? manifest.prompts : manifest.resourceTemplates;
    const entries = await Promise.all(
      list.map(async (entry) => {
        const { name } = entry.definition;
        const requests = TEXTS.map((a) =>
          kind === "prompt" ? { name, arguments: { a } } : { uri: `${name}://${encodeURIComponent(a)}` },
        );
        const all = kind === "prompt" ? [...requests, { name, arguments: {} }] : requests;
        const method = kind === "prompt" ? "prompts/get" : "resources/read";
        // The name and the URI are equal, so that only the parameters differ.
        const compared = { ...entry, definition: { ...entry.definition, name: "same" } };
        const parameter = PARAMETERS[Number(name.slice(1))] ?? "";
        return { parameter, entry: compared, accepted: await listAccepted(method, all) };
      }),
    );
    const shown: [string, string][] = [];
    const unreported: string[] = [];
    for (const before of entries) {
      for (const after of entries) {
        const index = before.accepted.findIndex((each, at) => each && after.accepted[at] === false);
        if (index === -1) continue;
        shown.push([before.parameter, after.parameter]);
        const changes = compareEntries(kind, before.entry, after.entry);
        if (changes.some(({ effect }) => effect === "breaking")) continue;
        unreported.push(
          `${before.parameter} → ${after.parameter}: ${JSON.stringify(TEXTS[index] ?? "no argument")}`,
        );
      }
    }
    expect(unreported).toEqual([]);
    expect(shown.length).toBeGreaterThan((entries.length * entries.length) / 2);
  });
});
