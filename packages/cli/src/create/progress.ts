import { intro, log, outro } from "@clack/prompts";
import type { Progress } from "./context.js";
import { startSpinner } from "./spinner.js";
import type { Sink } from "../terminal/terminal.js";

/** Creates a progress report for an interactive terminal, with an animation. */
export function createAnimatedProgress(sink: Sink): Progress {
  const { paint } = sink;
  return {
    intro: (text) => intro(paint.inverse(` ${text} `)),
    note: (text) => log.info(text),
    async task(label, work, done) {
      const spinner = startSpinner(label, sink);
      try {
        const result = await work();
        spinner.succeed(done(result));
        return result;
      } catch (error) {
        spinner.fail(label);
        throw error;
      }
    },
    // Has no frame, so that users can copy commands.
    block: (title, lines) => log.message([paint.bold(title), ...lines.map((line) => `  ${line}`)]),
    outro: (text) => outro(text),
  };
}

/** Creates a progress report for a log, with one line per event. */
export function createPlainProgress({ write, paint }: Sink): Progress {
  return {
    intro: (text) => write(`${text}\n`),
    note: (text) => write(`${text}\n`),
    async task(label, work) {
      write(`${label}… `);
      const result = await work().catch((error: unknown) => {
        write(`${paint.red("failed")}\n`);
        throw error;
      });
      write(`${paint.green("done")}\n`);
      return result;
    },
    block: (title, lines) => write(`\n${paint.bold(title)}\n${lines.map((line) => `  ${line}\n`).join("")}`),
    outro: (text) => write(`\n${text}\n`),
  };
}
