/**
 * The code that validates the values of calls, in addition to the compiled validators. The first call loads it, unless
 * the server has the feature `checks`. Lists do not need it.
 * @module
 */
export { compiled } from "../../data/validation/compiled-validators.js";
export { fitsSchema, reconsiderArguments } from "../../data/conversion/reconsider-arguments.js";
export { omitUndeclared } from "../../data/results/declared-members.js";
export { reconsiderData } from "../../data/results/reconsider-data.js";
