import { ArgumentsError, type ArgumentsReader } from "./arguments.js";
import { ConversionError, fromJson, toJson } from "./conversion.js";
import { joinPath } from "./explain/issues.js";
import type { Conversion, Input, Output } from "./manifest.js";

/** Turns arguments that fit their schema into the values that the handler declares. */
export function argumentsReader(conversion: Conversion, { conversions }: Input): ArgumentsReader {
  return (fitting) => {
    try {
      return fromJson(conversion, fitting, conversions) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      throw new ArgumentsError([`\`${joinPath(error.path)}\` ${error.message}`]);
    }
  };
}

/** Turns what a handler returns into the JSON that stands for it. */
export function valueWriter(conversion: Conversion, { conversions }: Output): (value: unknown) => unknown {
  return (value) => toJson(conversion, value, conversions);
}
