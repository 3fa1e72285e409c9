import { ArgumentsError, type ArgumentsConverter } from "./arguments.js";
import { ConversionError, fromJson, toJson } from "./conversion.js";
import { joinPath, listed } from "../explain/issues.js";
import { showValue } from "../explain/show-value.js";
import type { Input } from "../manifest.js";

/** What carries out the conversions of a manifest. */
export interface Converters {
  argumentsConverter(input: Input): ArgumentsConverter;
  readonly toJson: ToJson;
}

/** A handler's value as JSON. */
export type ToJson = typeof toJson;

export const converters: Converters = { argumentsConverter, toJson };

/** Turns arguments that fit their schema into the values that the handler declares. */
export function argumentsConverter({ conversion, conversions }: Input): ArgumentsConverter {
  if (conversion === undefined) return (fitting) => fitting;
  return (fitting, schema) => {
    try {
      return fromJson(conversion, fitting, conversions) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const issues = listed(error.failures, ({ path, problem }) => {
        return `\`${joinPath(path)}\` ${problem} (got ${showValue(fitting, path, schema)})`;
      });
      throw new ArgumentsError(issues);
    }
  };
}
