import { ArgumentsError, type ArgumentsConverter } from "./arguments.js";
import { ConversionError, fromJson, type ReadFile, toJson } from "./conversion.js";
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

/**
 * Creates the functions.
 *
 * @param readFile reads files, for servers with files in arguments
 */
export function createConverters(readFile?: ReadFile): Converters {
  return { argumentsConverter: (input) => createArgumentsConverter(input, readFile), toJson };
}

/** Creates a function that turns arguments that fit their schema into the values that the handler declares. */
function createArgumentsConverter(
  { conversion, conversions }: Input,
  readFile: ReadFile | undefined,
): ArgumentsConverter {
  if (conversion === undefined) return (fitting) => fitting;
  return (fitting, schema) => {
    try {
      return fromJson(conversion, fitting, conversions, readFile) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const issues = describeFirst(error.failures, ({ path, problem }) => {
        return `\`${joinPath(path)}\` ${problem} (got ${showValue(fitting, path, schema)})`;
      });
      throw new ArgumentsError(issues);
    }
  };
}
