import type { Serve, Stage } from "./stage.js";

/** Serves the calls to a tool with tasks as tasks, for clients that support them. */
export const serveAsTask: Stage = (next, { task }, { tasks }) => {
  if (task === undefined || tasks === undefined) return next;
  const serve = next as Serve<string>;
  return function offerTask(call) {
    return tasks.serve(call, task, () => serve(call));
  };
};
