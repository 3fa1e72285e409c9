/**
 * The rules of all options, for the compiler.
 * @module
 */
export { PROMPT_RULE, RESOURCE_RULE, TOOL_RULE } from "./decorator-rules.js";
export {
  findOptionProblem,
  findRule,
  formatOptionPath,
  formatOptionValue,
  type OptionRule,
} from "./option-rule.js";
export { SERVER_RULE } from "./server-rules.js";
export { COMPILER_TOOL_RULES } from "./compiled-rules.js";
export { isMimeType } from "../../protocol/mime-types.js";
