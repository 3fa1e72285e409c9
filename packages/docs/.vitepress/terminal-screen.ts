/** The first line of a recording in the format asciicast 2. */
export interface RecordingHeader {
  readonly width: number;
  readonly height: number;
  /** Maximum wait during playback, in seconds. */
  readonly idle_time_limit?: number;
}

/** A piece of output, and its time in seconds since the start of the recording. */
export type RecordedOutput = readonly [seconds: number, kind: string, text: string];

/** A recorded terminal session. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly outputs: readonly RecordedOutput[];
}

/**
 * Parses a recording in the format asciicast 2.
 *
 * @example
 * parseRecording('{"version":2,"width":80,"height":24}\n[0.5,"o","$ "]\n').outputs // [[0.5, "o", "$ "]]
 */
export function parseRecording(text: string): Recording {
  const [header = "{}", ...lines] = text.trimEnd().split("\n");
  return {
    header: JSON.parse(header) as RecordingHeader,
    outputs: lines.map((line) => JSON.parse(line) as RecordedOutput),
  };
}

// oxlint-disable no-control-regex -- Control characters are what terminals receive.

/** Matches a piece of text, a line feed, a carriage return, a backspace, a bell, or a control sequence. */
const PART = /\u001B\[([\d;?]*)([A-Za-z])|\u001B\][^\u0007]*\u0007|[\r\n\b\u0007]|[^\u001B\r\n\b\u0007]+/g;

/**
 * The text of a terminal, including the lines that have scrolled off. Supports what line editors and progress bars need:
 * carriage returns, wrapping, and cursor movements and deletions within the last lines.
 *
 * @example
 * const screen = new TerminalScreen(80);
 * screen.write("working\rdone   \r\n");
 * screen.text // "done"
 */
export class TerminalScreen {
  readonly #width: number;
  readonly #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** All lines, without trailing spaces. */
  get text(): string {
    return this.#lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  /** Displays output. Its control sequences must be complete. */
  write(output: string): void {
    for (const [part, numbers = "", command] of output.matchAll(PART)) {
      if (command !== undefined) this.#control(command, numbers);
      else if (part === "\n") this.#moveTo(this.#row + 1);
      else if (part === "\r") this.#column = 0;
      else if (part === "\b") this.#column = Math.max(this.#column - 1, 0);
      else if (!/^[\u001B\u0007]/.test(part)) for (const character of part) this.#put(character);
    }
  }

  #put(character: string): void {
    if (this.#column === this.#width) {
      this.#moveTo(this.#row + 1);
      this.#column = 0;
    }
    const characters = Array.from((this.#lines[this.#row] ?? "").padEnd(this.#column));
    characters[this.#column++] = character;
    this.#lines[this.#row] = characters.join("");
  }

  #moveTo(row: number): void {
    this.#row = Math.max(row, 0);
    while (this.#lines.length <= this.#row) this.#lines.push("");
  }

  #control(command: string, numbers: string): void {
    const count = Number.parseInt(numbers, 10);
    const distance = Number.isNaN(count) ? 1 : count;
    const line = Array.from(this.#lines[this.#row] ?? "");
    if (command === "A") this.#moveTo(this.#row - distance);
    else if (command === "B") this.#moveTo(this.#row + distance);
    else if (command === "C") this.#column = Math.min(this.#column + distance, this.#width - 1);
    else if (command === "D") this.#column = Math.max(this.#column - distance, 0);
    else if (command === "G") this.#column = distance - 1;
    else if (command === "K") {
      const kept = count === 2 ? [] : line.slice(0, this.#column);
      this.#lines[this.#row] = kept.join("");
    } else if (command === "J") {
      this.#lines.length = this.#row + 1;
      this.#lines[this.#row] = line.slice(0, this.#column).join("");
    }
  }
}

/** Returns everything that a recording displays, as text. */
export function transcribe({ header, outputs }: Recording): string {
  const screen = new TerminalScreen(header.width);
  for (const [, , text] of outputs) screen.write(text);
  return screen.text;
}

/**
 * Formats a time as minutes and seconds.
 *
 * @example
 * formatTime(75.2) // "1:15"
 */
export function formatTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
