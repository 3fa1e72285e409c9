import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  formatTime,
  parseRecording,
  TerminalScreen,
  transcribe,
} from "../../packages/docs/.vitepress/terminal-screen.js";
import { findBlocks } from "./blocks.js";
import { workspace } from "./pages.js";

const docs = join(workspace, "packages/docs");
const guide = readFileSync(join(docs, "getting-started.md"), "utf8");
const recording = parseRecording(readFileSync(join(docs, "public/getting-started.cast"), "utf8"));

/** Returns the text that a terminal displays after this output. */
function getScreen(output: string, width = 80): string {
  const screen = new TerminalScreen(width);
  screen.write(output);
  return screen.text;
}

/** Returns the transcript with wrapped commands on one line. */
function transcribeWide(): string {
  const { header, outputs } = recording;
  return transcribe({
    header: { ...header, width: 1000 },
    outputs: outputs.map(([at, kind, text]) => [at, kind, text.replaceAll(" \r", "")]),
  });
}

describe("the recorded session of Getting started", () => {
  const commands = [...transcribeWide().matchAll(/^\$ (.+)$/gm)].map(([, command = ""]) => command);

  test("types commands of the page, from `npm create` to a call by a client", () => {
    const lines = findBlocks(guide).flatMap(({ code }) =>
      code.split("\n").map((line) => line.replace(/^\$ /, "")),
    );
    const typed = commands.filter((command) => !command.startsWith("cat > "));
    for (const command of typed) expect(lines).toContain(command);
    expect(typed[0]).toMatch(/^npm create /);
    expect(typed.at(-1)).toMatch(/inspector/);
    expect(transcribeWide()).toContain("--tool-name until");
  });

  test("writes the same class as the page", () => {
    expect(commands).toContain("cat > src/clock.ts");
    const source = findBlocks(guide).find(({ code }) => code.startsWith("// src/clock.ts\n"))?.code ?? "";
    expect(transcribeWide()).toContain(source.replace("// src/clock.ts\n", "").trimEnd());
  });

  test("ends with the result of the tool, in less than five minutes", () => {
    expect(transcribe(recording)).toMatch(/"structuredContent": \{\n {4}"hours": 36\n {2}\}\n\}\n\$$/);
    expect(recording.outputs.at(-1)?.[0]).toBeLessThan(300);
  });
});

describe("a terminal's screen", () => {
  test("overwrites a line after a carriage return", () => {
    expect(getScreen("working\rdone\u001B[K\r\nnext")).toBe("done\nnext");
  });

  test("wraps long lines", () => {
    expect(getScreen("abcdef", 4)).toBe("abcd\nef");
  });

  test("moves the cursor and deletes text as control sequences specify", () => {
    expect(getScreen("one\r\ntwo\u001B[A\u001B[1Gx\u001B[0J")).toBe("x");
    expect(getScreen("⠙\u001B[1G\u001B[0Kdone")).toBe("done");
  });

  test("ignores titles and bells", () => {
    expect(getScreen("\u001B]0;title\u0007a\u0007b")).toBe("ab");
  });

  test("shows times as minutes and seconds", () => {
    expect(formatTime(164.7)).toBe("2:44");
  });
});
