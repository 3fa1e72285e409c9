import { ArgumentsError, type ArgumentsConverter } from "./arguments.js";
import { fromJson, type ReadFile, toJson } from "./conversion.js";
import { ConversionError } from "./conversion-error.js";
import { describeFirst } from "../explanations/issues.js";
import { joinPath } from "../explanations/paths.js";
import { showValue } from "../problems/show-value.js";
import type { Input } from "../../manifest.js";

/** Functions that perform the conversions of a manifest. */
export interface Converters {
  createArgumentsConverter(input: Input): ArgumentsConverter;
  readonly toJson: ToJson;
}

/** Function that converts a handler's value to JSON. */
export type ToJson = typeof toJson;

/**
 * Creates the functions that perform the conversions of a manifest.
 *
 * @param readFile reads files, for servers with files in arguments
 */
export function createConverters(readFile?: ReadFile): Converters {
  return { createArgumentsConverter: (input) => createArgumentsConverter(input, readFile), toJson };
}

/** Creates a function that converts valid arguments to the values that the handler declares. */
function createArgumentsConverter(
  { conversion, conversions }: Input,
  readFile: ReadFile | undefined,
): ArgumentsConverter {
  if (conversion === undefined) return (valid) => valid;
  return (valid, schema) => {
    try {
      return fromJson(conversion, valid, conversions, readFile) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const issues = describeFirst(error.failures, ({ path, problem }) => {
        return `\`${joinPath(path)}\` ${problem} (got ${showValue(valid, path, schema)})`;
      });
      throw new ArgumentsError(issues);
    }
  };
}
