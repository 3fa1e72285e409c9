/**
 * Tests for the additions in the table "Where to start" of `packages/README.md` whose files no type connects.
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { CONTENT_KINDS, type JsonSchema } from "@tenon/runtime/manifest";
import { metrics } from "@tenon/runtime/metrics";
import { expect, test } from "vitest";
// Internal: the tables of the architecture page name these sources.
import { TARGET_NAMES } from "../../packages/cli/src/package/targets/package-target.js";
import { MODERN_REVISION } from "../../packages/cli/src/remote/remote-client.js";
import { DECORATOR_OPTIONS, SERVER_OPTIONS } from "../../packages/compiler/src/declared-options.js";
import { listRevisionIds } from "../../packages/runtime/src/protocol/revisions.js";
import { INSTALLABLE_CLIENTS } from "../../packages/cli/src/install/client-config.js";
import { listTags } from "../../packages/compiler/src/write/doc-source.js";
import { isModern, REVISIONS } from "../../packages/cli/playground/state/notes.js";
import { commandNames } from "../support/command-names.js";
import { REVISIONS as TRIED_REVISIONS, TRANSPORT_NAMES } from "../support/describe-transports.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { importGraph } from "./imports.js";

const workspace = join(import.meta.dirname, "../..");

/** Returns the files of a folder with this ending, as paths from the workspace. */
function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(join(workspace, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

function readText(path: string): string {
  return readFileSync(join(workspace, path), "utf8");
}

test.each(commandNames())("`tenon %s` has a row in the table of commands", (name) => {
  expect(readText("packages/cli/README.md")).toMatch(new RegExp(`^\\| \`tenon ${name}\\b`, "m"));
});

const cli = "packages/cli/src";
const cliGraph = importGraph(join(workspace, cli));

/** Returns the code of a command and of the folders that it imports, without strings and comments. */
function readCode(command: string): string {
  const definition = `export function define${command}Command(`.toLowerCase();
  const start = filesIn(`${cli}/commands`, ".ts").find((path) =>
    readText(path).toLowerCase().includes(definition),
  );
  const reached = new Set([start?.slice(cli.length + 1) ?? ""]);
  // The code of every command is within three imports.
  for (const _step of [1, 2, 3])
    for (const file of [...reached]) for (const next of cliGraph.get(file) ?? []) reached.add(next);
  const code = [...reached].map((file) => readText(join(cli, file))).join("\n");
  return code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "");
}

/** Returns the name under which commander passes an option. */
function toOptionName(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

test.each(commandNames())("every option of `tenon %s` is declared and read", async (name) => {
  const terminal = recordingTerminal(workspace);
  await run([name, "--help"], terminal);
  const code = readCode(name);
  const options = Array.from(
    terminal.stdout().matchAll(/^ {2}(?:-\w, {1,2}| {4})?--(?:no-)?([a-z-]+)/gm),
    ([, flag = ""]) => toOptionName(flag),
  ).filter((option) => option !== "help");
  const isRead = (option: string): boolean => {
    // The list of targets declares and reads these.
    if (TARGET_NAMES.some((target) => toOptionName(target) === option)) return true;
    const declared = code.match(new RegExp(`\\b${option}\\??:`, "g")) ?? [];
    const used = code.match(new RegExp(`\\b${option}\\b`, "g")) ?? [];
    return declared.length > 0 && used.length > declared.length;
  };
  expect(options.filter((option) => !isRead(option))).toEqual([]);
});

test.each(INSTALLABLE_CLIENTS.map(({ name }) => name))("the documentation mentions the client %s", (name) => {
  const pages = ["packages/cli/README.md", "packages/docs/guide/connect-clients.md"];
  expect(pages.filter((path) => !new RegExp(`\\b${name}\\b`).test(readText(path)))).toEqual([]);
});

test("every metric is in the documentation", () => {
  const names = Array.from(
    metrics()
      .text()
      .matchAll(/^# TYPE (mcp_\w+)/gm),
    ([, name = ""]) => name,
  );
  expect(names).toContain("mcp_server_info");
  expect(
    names.filter(
      (name) => !readText("packages/docs/reference/logs-metrics-traces.md").includes(`\`${name}\``),
    ),
  ).toEqual([]);
});

const tagRows = Array.from(
  readText("packages/docs/reference/tags.md").matchAll(/^\| `+(@.+?)`+ +\|.*\| `(\{.*\})` +\|/gm),
  ([, tag = "", schema = ""]) => ({ tag, schema: JSON.parse(schema) as JsonSchema }),
);

test.each(tagRows)("import writes $tag for the schema it becomes", ({ tag, schema }) => {
  const [name = ""] = tag.split(" ");
  expect(listTags(schema).filter((each) => each.split(" ")[0] === name)).toHaveLength(1);
});

test.each(TARGET_NAMES)("the packaging target %s has a test and is documented", (name) => {
  expect(existsSync(join(workspace, `test/e2e/package/${name}.test.ts`))).toBe(true);
  const pages = ["packages/cli/README.md", ...filesIn("packages/docs/guide", ".md")];
  expect(pages.filter((path) => readText(path).includes(`--${name}`))).not.toEqual([]);
});

test.each(Object.values(CONTENT_KINDS).map(({ typeName }) => typeName))("authors can import %s", (name) => {
  expect(readText("packages/runtime/src/index.ts")).toMatch(new RegExp(`^  ${name},$`, "m"));
});

test("the playground offers every revision, newest first", () => {
  expect(REVISIONS).toEqual([...listRevisionIds("modern"), ...listRevisionIds("legacy")]);
  expect(REVISIONS.filter((id) => isModern(id))).toEqual(listRevisionIds("modern"));
});

test("tests cover every revision that is served", () => {
  expect(new Set(TRIED_REVISIONS)).toEqual(
    new Set([...listRevisionIds("modern"), ...listRevisionIds("legacy")]),
  );
});

test("`--era modern` pins the newest revision", () => {
  expect(MODERN_REVISION).toBe(listRevisionIds("modern")[0]);
});

const transports = readdirSync(join(workspace, "packages/runtime/src/transports"), { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

test.each(transports)("the transport %s has an entry point, is served, and runs all tests", (name) => {
  const { exports } = JSON.parse(readText("packages/runtime/package.json")) as { exports: object };
  expect(exports).toHaveProperty([`./${name}`, "default"], expect.stringContaining(`/transports/${name}/`));
  expect(readText("packages/runtime/src/serve.ts")).toContain(`"./transports/${name}/`);
  expect(TRANSPORT_NAMES).toContain(name);
});

test.each(["modern", "legacy"] as const)(
  "the page on eras names the oldest and newest %s revision",
  (era) => {
    const ids = listRevisionIds(era);
    const [oldest, newest] = [ids.at(-1), ids[0]];
    const shown = oldest === newest ? `${era}: ${newest}` : `${era}: ${oldest} to ${newest}`;
    expect(readText("packages/docs/concepts/eras.md")).toContain(`| ${shown} `);
  },
);

const decorators = filesIn("test/compile/fixtures/manifests", ".ts")
  .flatMap((path) => [...readText(path).matchAll(/@(?:Tool|Prompt|Resource)\([^@]*?\)\s/g)])
  .map(([text]) => text);

test.each(Object.entries(DECORATOR_OPTIONS).flatMap(([name, kind]) => (kind === "server" ? [] : name)))(
  "a fixture shows the effect of the option `%s` on the manifest",
  (name) => {
    expect(decorators.filter((text) => new RegExp(`\\b${name}\\b(?::|,| })`).test(text))).not.toEqual([]);
  },
);

const runtimeCode = filesIn("packages/runtime/src", ".ts")
  .filter((path) => !path.includes("/src/api/"))
  .map((path) => readText(path).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))
  .join("\n");

/** Returns whether the runtime reads a member of an object with this name or type. */
function isReadAtRunTime(member: string, object: string, type: string): boolean {
  const inside = String.raw`(?:[^{}]|\{\})*`;
  const destructured = `\\{${inside}\\b${member}\\b${inside}\\}(?: = (?:\\w+\\.)*${object}\\b|: (?:Pick<)?${type}\\b)`;
  return new RegExp(`\\b${object}\\??\\.${member}\\b|${destructured}`).test(runtimeCode);
}

function namesReadByServer(table: Readonly<Record<string, string>>): string[] {
  return Object.keys(table).filter((name) => table[name]?.endsWith("server"));
}

test.each(namesReadByServer(DECORATOR_OPTIONS))("the server reads the option `%s` of decorators", (name) => {
  expect(isReadAtRunTime(name, "options", "(?:Tool|Prompt|Resource|Runtime)Options")).toBe(true);
});

test.each(namesReadByServer(SERVER_OPTIONS))("the server reads the option `%s` of defineServer", (name) => {
  expect(isReadAtRunTime(name, "config", "ServerConfig")).toBe(true);
});
