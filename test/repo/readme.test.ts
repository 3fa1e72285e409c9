import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic } from "@tenon/compiler";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";
import { LONG_COMPUTATION } from "../support/long-computation.js";

const workspace = join(import.meta.dirname, "../..");
const readme = readFileSync(join(workspace, "README.md"), "utf8");

/** Returns the text of the first code block in this language. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(readme)?.[1];
  if (text === undefined) throw new Error(`README.md has no ${language} block.`);
  return text;
}

describe("README.md", () => {
  const project = createScratchProject("weather");
  afterAll(() => project.remove());

  test("shows the tool that its class becomes", () => {
    const { manifest, diagnostics } = project.compile({ "src/weather.ts": block("ts") });
    expect(diagnostics).toEqual([]);
    expect(manifest?.tools.map((tool) => tool.definition)).toEqual([JSON.parse(block("json"))]);
  });

  test("shows the output of its commands", LONG_COMPUTATION, () => {
    project.compile({ "src/weather.ts": block("ts") });
    const [first = "", ...commands] = block("console").split(/^\$ /m);
    expect(first).toBe("");
    for (const text of commands) {
      const [command = "", ...lines] = text.split("\n");
      const [program, ...args] = command.split(" ");
      expect(program).toBe("tenon");
      const printed = execFileSync(
        process.execPath,
        [join(workspace, "packages/cli/bin/tenon.js"), ...args],
        {
          cwd: project.root,
          encoding: "utf8",
          env: { ...process.env, NO_COLOR: "1" },
        },
      );
      expect(printed.trimEnd()).toBe(lines.join("\n").trimEnd());
    }
  });

  test("shows the diagnostic of its invalid class", () => {
    const shown = block("text");
    const lines = [...shown.matchAll(/^[ >]+(\d+) │ ?(.*)$/gm)];
    const source = [
      'import { Tool } from "@tenon/runtime";',
      "",
      "export class Weather {",
      ...lines.map((line) => line[2] ?? ""),
      "}",
      "",
    ];
    const { diagnostics } = project.compile({ "src/weather.ts": source.join("\n") });
    expect(diagnostics.map((each) => renderDiagnostic(each).trimEnd())).toEqual([shown]);
  });

  test("begins with the same project as the documentation", () => {
    const start = readFileSync(join(workspace, "packages/docs/getting-started.md"), "utf8");
    const [, first = ""] = /```console create\n(?:\$ .*\n)([^]*?)```/.exec(readme) ?? [];
    expect(start).toContain(first.replaceAll("../my-server", "my-server"));
    expect(start).toContain(readFileSync(join(workspace, "templates/minimal/src/greeter.ts"), "utf8"));
  });

  test("lists the commands that demonstrate and test the repository in one code block", () => {
    const { scripts } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(block("sh")).toMatch(/^npm ci && npm run demo +#.*\nnpm test +#/);
    expect(scripts).toMatchObject({ demo: expect.any(String), test: expect.any(String) });
  });

  test("has a table of promises that fits on a phone screen", () => {
    const table = /^## Promises[^]*?\n\n(\|[^]*?)\n\n/m.exec(readme)?.[1] ?? "";
    const cells = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
    expect(cells.length).toBeGreaterThan(6);
    const shown = cells.flat().map((cell) => cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    expect(shown.filter((cell) => cell.length > 40 && !/^-+$/.test(cell))).toEqual([]);
  });

  test("links to pages of the documentation only in packages/docs", () => {
    const links = [...readme.matchAll(/\]\(([^)\s]+\.md)[^)]*\)/g)].map(([, href = ""]) => href);
    const others = new Set(["packages/README.md", ".github/SECURITY.md", "test/bench/RESULTS.md"]);
    expect(links.filter((href) => !href.startsWith("packages/docs/") && !others.has(href))).toEqual([]);
  });

  test("stays short", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThan(170);
  });
});
