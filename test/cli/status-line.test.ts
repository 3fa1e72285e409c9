import { expect, it } from "vitest";
import { createStatusLine } from "../../packages/cli/src/terminal/status-line.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const ERASE = "\r\x1b[K";

function recorded(redraws: boolean): { status: ReturnType<typeof createStatusLine>; text: () => string } {
  let text = "";
  const write = (more: string): void => void (text += more);
  const { err } = recordingTerminal("/work");
  return { status: createStatusLine({ ...err, columns: 12, redraws, write }), text: () => text };
}

it("is drawn below what is printed, and leaves nothing behind", () => {
  const { status, text } = recorded(true);
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

it("is one line where nothing can be drawn again", () => {
  const { status, text } = recorded(false);
  status.show("Compiling");
  status.show("Bundling");
  status.write("a line\n");
  status.clear();
  status.show("Compiling");
  expect(text()).toBe("Compiling…\na line\n");
});
