import { intro, log, note, outro, spinner } from "@clack/prompts";
import type { Progress } from "./context.js";
import type { Sink } from "../terminal/terminal.js";

/** For a person: spinners and boxes. */
export function animatedProgress({ paint }: Sink): Progress {
  return {
    intro: (text) => intro(paint.inverse(` ${text} `)),
    note: (text) => log.info(text),
    async task(label, work, done) {
      const spinning = spinner();
      spinning.start(label);
      try {
        const result = await work();
        spinning.stop(done(result));
        return result;
      } catch (error) {
        spinning.error(label);
        throw error;
      }
    },
    block: (title, lines) => note(lines.join("\n"), title, { format: (line) => line }),
    outro: (text) => outro(text),
  };
}

/** For a log: one line per event. */
export function plainProgress({ write, paint }: Sink): Progress {
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
