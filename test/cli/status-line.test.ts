import { expect, it } from "vitest";
// Internal: a line that is overwritten needs a terminal.
import { createStatusLine } from "../../packages/cli/src/terminal/status-line.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const ERASE = "\r\x1b[K";

function createRecordedLine(canRedraw: boolean): {
  status: ReturnType<typeof createStatusLine>;
  text: () => string;
} {
  let text = "";
  const write = (more: string): void => void (text += more);
  const { err } = recordingTerminal("/work");
  return { status: createStatusLine({ ...err, columns: 12, canRedraw, write }), text: () => text };
}

it("a status line is drawn below other output, and removed at the end", () => {
  const { status, text } = createRecordedLine(true);
  status.show("Compiling the project");
  status.write("a line\n");
  status.show("Bundling");
  status.write("half");
  status.show("Checking");
  status.write(" a line\n");
  status.clear();
  status.write("end\n");
  expect(text()).toBe(`${ERASE}⠋ Compiling${ERASE}a line\n${ERASE}⠙ Bundling${ERASE}half a line\nend\n`);
});

it("a status line is printed once if it cannot be redrawn", () => {
  const { status, text } = createRecordedLine(false);
  status.show("Compiling");
  status.show("Bundling");
  status.write("a line\n");
  status.clear();
  status.show("Compiling");
  expect(text()).toBe("Compiling…\na line\n");
});
