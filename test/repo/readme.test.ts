import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnostic } from "@tenon/compiler";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";

const workspace = join(import.meta.dirname, "../..");
const readme = readFileSync(join(workspace, "README.md"), "utf8");

/** The text of the first code block in that language. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(readme)?.[1];
  if (text === undefined) throw new Error(`README.md has no ${language} block.`);
  return text;
}

describe("README.md", () => {
  const project = createScratchProject("weather");
  afterAll(() => project.remove());

  test("its class becomes the tool it shows", () => {
    const { manifest, diagnostics } = project.compile({ "src/weather.ts": block("ts") });
    expect(diagnostics).toEqual([]);
    expect(manifest?.tools.map((tool) => tool.definition)).toEqual([JSON.parse(block("json"))]);
  });

  test("its commands print what it shows", () => {
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

  test("its wrong class gives the diagnostic it shows", () => {
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

  test("and the first page of the documentation begin with the same project", () => {
    const start = readFileSync(join(workspace, "packages/docs/start.md"), "utf8");
    const [, first = ""] = /```console create\n(?:\$ .*\n)([^]*?)```/.exec(readme) ?? [];
    expect(start).toContain(first.replaceAll("../my-server", "my-server"));
    expect(start).toContain(readFileSync(join(workspace, "templates/minimal/src/greeter.ts"), "utf8"));
  });

  test("stays short", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThan(165);
  });
});
