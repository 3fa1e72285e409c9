import { ArgumentsError, type ArgumentsConverter } from "./arguments.js";
import { ConversionError, fromJson, toJson } from "./conversion.js";
import { describeFirst } from "../explanations/issues.js";
import { joinPath } from "../explanations/paths.js";
import { showValue } from "../problems/show-value.js";
import type { Input } from "../../manifest.js";

/** Functions that perform the conversions of a manifest. */
export interface Converters {
  argumentsConverter(input: Input): ArgumentsConverter;
  readonly toJson: ToJson;
}

/** Function that converts a handler's value to JSON. */
export type ToJson = typeof toJson;

export const converters: Converters = { argumentsConverter: createArgumentsConverter, toJson };

/** Creates a function that turns arguments that fit their schema into the values that the handler declares. */
export function createArgumentsConverter({ conversion, conversions }: Input): ArgumentsConverter {
  if (conversion === undefined) return (fitting) => fitting;
  return (fitting, schema) => {
    try {
      return fromJson(conversion, fitting, conversions) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const issues = describeFirst(error.failures, ({ path, problem }) => {
        return `\`${joinPath(path)}\` ${problem} (got ${showValue(fitting, path, schema)})`;
      });
      throw new ArgumentsError(issues);
    }
  };
}
