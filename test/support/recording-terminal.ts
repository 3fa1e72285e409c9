import pc from "picocolors";
import type { Sink, Terminal } from "@tenon/cli";

export interface RecordingTerminal extends Terminal {
  stdout(): string;
  stderr(): string;
}

/** Creates a terminal without a user, which records the output. */
export function recordingTerminal(cwd: string): RecordingTerminal {
  const out = recorder();
  const err = recorder();
  return { cwd, interactive: false, out, err, stdout: out.text, stderr: err.text };
}

function recorder(): Sink & { text(): string } {
  let text = "";
  return {
    write: (more) => {
      text += more;
    },
    flush: () => Promise.resolve(),
    paint: pc.createColors(false),
    color: false,
    columns: 100,
    text: () => text,
  };
}
