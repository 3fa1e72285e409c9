import { ArgumentsError, type ArgumentsReader } from "./arguments.js";
import { ConversionError, fromJson, toJson } from "./conversion.js";
import { joinPath, listed } from "../explain/issues.js";
import type { Input, Output } from "../manifest.js";

/** Turns arguments that fit their schema into the values that the handler declares. */
export function argumentsReader({ conversion, conversions }: Input): ArgumentsReader {
  if (conversion === undefined) return (fitting) => fitting;
  return (fitting, { vocabulary, schema }) => {
    try {
      return fromJson(conversion, fitting, conversions) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const issues = listed(error.failures, ({ path, value, problem }) => {
        const shown = vocabulary.show(value, path, fitting, schema);
        return `\`${joinPath(path)}\` ${problem} (got ${shown})`;
      });
      throw new ArgumentsError(issues);
    }
  };
}

/** Turns what a handler returns into the JSON that stands for it. */
export function valueWriter({ conversion, conversions }: Output): (value: unknown) => unknown {
  if (conversion === undefined) return (value) => value;
  return (value) => toJson(conversion, value, conversions);
}
