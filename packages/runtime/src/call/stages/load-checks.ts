import type { Stage } from "./stage.js";

/** The kind of declaration that the parameter `name` of a method refers to. */
const NAMED_KINDS: ReadonlyMap<string, "tools" | "prompts"> = new Map([
  ["tools/call", "tools"],
  ["prompts/get", "prompts"],
]);

/** The methods that validate the variables of a URI, or the answers of a user. */
const VALIDATING_METHODS =
  /^(?:resources\/(?:read|subscribe|directory\/read)|skills\/get|subscriptions\/listen|tasks\/.+)$/;

/** Loads the validators that a call needs, if they are not loaded yet. */
export const loadChecks: Stage<string> = (next, method, { validation }) => {
  const kind = NAMED_KINDS.get(method);
  if (kind === undefined && !VALIDATING_METHODS.test(method)) return next;
  return function loadChecks(call) {
    const loading = validation.load(kind, call.params.name);
    if (loading === undefined) return next(call);
    return loading.then(function serveWithChecks() {
      return next(call);
    });
  };
};
