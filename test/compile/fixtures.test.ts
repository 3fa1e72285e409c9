import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  listDiagnosticCodes,
  compile as compileProject,
  renderDiagnostic,
  type Compilation,
  type Diagnostic,
} from "@tenon/compiler";
import { run } from "@tenon/cli";
import { afterAll, describe, expect, test } from "vitest";
import { recordingTerminal } from "../support/recording-terminal.js";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";
import { diagnosticPage, diagnosticsPage, readFixes, ShownDiagnostics } from "./diagnostics-page.js";

/**
 * Each folder in `fixtures/diagnostics/` and `fixtures/manifests/` is a case: the sources as they would stand in `src/`
 * (and `skills/` next to it), and the output of the compiler. The author sees `diagnostics.txt`, and clients see
 * `manifest.json`. In `fixtures/projects/` a case is a whole project, for diagnostics that a source file alone cannot
 * cause; in `fixtures/directories/`, it is a project with the report of `tenon check --directory all`. A new case is a
 * new folder; `npm test -- -u` writes the expected output.
 */
const fixtures = join(import.meta.dirname, "fixtures");
const compilerFolder = join(import.meta.dirname, "../../packages/compiler");
const EXPECTED = new Set(["diagnostics.txt", "manifest.json"]);

/** Codes whose fix needs another package, which a page cannot contain. */
const SHOWN_AS_FRAGMENT: ReadonlySet<string> = new Set(["class-outside-src"]);

describe("fixtures", () => {
  const project = createScratchProject("fixture");
  const shown = new ShownDiagnostics();
  const notes = readFixes(readFileSync(join(import.meta.dirname, "diagnostic-notes.md"), "utf8"));
  afterAll(() => project.remove());

  describe("diagnostics", () => {
    test.each(namesIn("diagnostics"))("%s", async (name) => {
      const folder = join(fixtures, "diagnostics", name);
      const compilation = compile(project, folder);
      show(compilation);
      const diagnostics = diagnosticsText(compilation);
      expect(diagnostics, "a case without diagnostics belongs in manifests/").not.toBe("");
      await expect(diagnostics).toMatchFileSnapshot(join(folder, "diagnostics.txt"));
      const path = join(folder, "manifest.json");
      const text = manifestText(compilation);
      if (text === undefined)
        expect(existsSync(path), "nothing is served, so there is no manifest").toBe(false);
      else await expect(text).toMatchFileSnapshot(path);
    });
  });

  describe("projects", () => {
    test.each(namesIn("projects"))("%s", async (name) => {
      const folder = join(fixtures, "projects", name);
      const root = copyFixture(folder, !name.startsWith("runtime-not-installed"));
      try {
        const { diagnostics } = compileProject({ root });
        const relative = diagnostics.map((each) => ({
          ...each,
          message: each.message.replaceAll(root, "/home/ada/weather"),
        }));
        show({ diagnostics: relative });
        const text = relative.map((each) => renderDiagnostic(each)).join("\n");
        await expect(text).toMatchFileSnapshot(join(folder, "diagnostics.txt"));
      } finally {
        rmSync(root, { recursive: true });
      }
    });
  });

  describe("directories", () => {
    test.each(namesIn("directories"))("%s", async (name) => {
      const folder = join(fixtures, "directories", name);
      const root = copyFixture(folder);
      try {
        const terminal = recordingTerminal(root);
        await run(["check", "--directory", "all", "--json"], terminal);
        const { directories } = JSON.parse(terminal.stdout()) as { directories: Diagnostic[] };
        show({ diagnostics: directories });
        const text = directories.map((each) => renderDiagnostic(each)).join("\n");
        await expect(text).toMatchFileSnapshot(join(folder, "diagnostics.txt"));
      } finally {
        rmSync(root, { recursive: true });
      }
    });
  });

  describe("manifests", () => {
    test.each(namesIn("manifests"))("%s", async (name) => {
      const folder = join(fixtures, "manifests", name);
      const compilation = compile(project, folder);
      // The results of every library type include one that is sent without its flags.
      const diagnostics = compilation.diagnostics.filter(({ code }) => code !== "type-regexp-flags");
      expect(diagnosticsText({ ...compilation, diagnostics })).toBe("");
      const text = manifestText(compilation);
      expect(text, "a case without a manifest belongs in diagnostics/").toBeDefined();
      await expect(text).toMatchFileSnapshot(join(folder, "manifest.json"));
    });
  });

  // These come last, because they use the diagnostics of all cases.
  describe("catalog", () => {
    test.each(listDiagnosticCodes())("$code has a fixture that shows it, and a page", async (entry) => {
      expect(shown.of(entry.code)).not.toEqual([]);
      const page = join(compilerFolder, "errors", `${entry.code}.md`);
      await expect(diagnosticPage(entry, shown.of(entry.code), notes.get(entry.code))).toMatchFileSnapshot(
        page,
      );
    });

    // The documentation tests compile the blocks that are not fragments.
    test.each(listDiagnosticCodes().filter(({ code }) => !SHOWN_AS_FRAGMENT.has(code)))(
      "the page of $code explains the fix, and shows a correct example",
      ({ code }) => {
        expect(notes.get(code) ?? "").toMatch(
          /^(?!```).+$[^]*^```(?:ts(?!.*fragment)|json|sh|md).*\n[^]+^```$/m,
        );
      },
    );

    test("no page or note belongs to an unknown code", () => {
      const codes = new Set<string>(listDiagnosticCodes().map(({ code }) => `${code}.md`));
      expect([...notes.keys()].filter((code) => !codes.has(`${code}.md`))).toEqual([]);
      expect(readdirSync(join(compilerFolder, "errors")).filter((name) => !codes.has(name))).toEqual([]);
    });

    test("codes are kebab-case", () => {
      for (const { code } of listDiagnosticCodes()) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    });

    test("ERRORS.md is current", async () => {
      await expect(diagnosticsPage(shown)).toMatchFileSnapshot(join(compilerFolder, "ERRORS.md"));
    });
  });

  function show({ diagnostics }: Pick<Compilation, "diagnostics">): void {
    for (const each of diagnostics)
      shown.add(each.code, { text: renderDiagnostic(each).trimEnd(), hint: each.hint });
  }
});

/** Copies a project to a temporary folder, without its expected output. */
function copyFixture(folder: string, isInstalled = true): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-fixture-")));
  cpSync(folder, root, { recursive: true, filter: (path) => !EXPECTED.has(path.slice(folder.length + 1)) });
  if (isInstalled) symlinkSync(join(fixtures, "../../../node_modules"), join(root, "node_modules"));
  return root;
}

function namesIn(kind: string): string[] {
  return readdirSync(join(fixtures, kind)).sort();
}

function compile(project: ScratchProject, folder: string): Compilation {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => !EXPECTED.has(file) && statSync(join(folder, file)).isFile(),
  );
  expect(sources, "a case needs sources").not.toEqual([]);
  return project.compile(
    Object.fromEntries(
      sources.map((file) => [getProjectPath(file), enlarge(readFileSync(join(folder, file), "utf8"))]),
    ),
  );
}

/** Returns the path of a fixture's file in the project: the files of skills are next to `src/`. */
function getProjectPath(file: string): string {
  return /^skills[\\/]/.test(file) ? file : `src/${file}`;
}

/** Enlarges a file that contains `<!-- 600 KB -->`, so that the file of a case about its size can be small. */
function enlarge(text: string): string {
  return text.replace(
    /<!-- (\d+) KB -->/,
    (_, kilobytes: string) => `<!--${"-".repeat(Number(kilobytes) * 1024)}>`,
  );
}

function diagnosticsText({ diagnostics }: Compilation): string {
  return diagnostics.map((each) => renderDiagnostic(each)).join("\n");
}

/** Returns the text of the manifest; undefined if nothing is served. */
function manifestText({ manifest }: Compilation): string | undefined {
  if (!manifest) return undefined;
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const isEmpty = [tools, prompts, resources, resourceTemplates].every((entries) => entries.length === 0);
  return isEmpty ? undefined : `${JSON.stringify(manifest, null, 2)}\n`;
}
