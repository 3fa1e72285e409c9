import type { Stage } from "./stage.js";

/** Records that the handler begins, after all checks, and turns the call into a task if the tool requires that first. */
export const beginHandler: Stage = (next, { task }, { settings }) => {
  if (task === undefined && settings.observe.length === 0) return next;
  return function recordBegin(call) {
    if (call.notes !== undefined) call.notes.hasBegun = true;
    call.startTaskAtOnce?.();
    return next(call);
  };
};
