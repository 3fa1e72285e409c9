/**
 * The stages of handlers with tasks, a `Context`, or files. Plain handlers have none of them.
 * @module
 */
import { type Serve, type Stage, isThenable } from "./stage.js";

/** Serves calls as tasks, for tools that have tasks and clients that support them. */
export const serveAsTask: Stage = (next, { task }, { tasks }) => {
  if (task === undefined || tasks === undefined) return next;
  const serve = next as Serve<string>;
  return function offerTask(call) {
    return tasks.serve(call, task, () => serve(call));
  };
};

/** Records that the handler begins, after all checks, and starts the task if it starts with the call. */
export const beginHandler: Stage = (next, { task }, { settings }) => {
  if (task === undefined && settings.observe.length === 0) return next;
  return function recordBegin(call) {
    if (call.notes !== undefined) call.notes.hasBegun = true;
    call.startTaskImmediately?.();
    return next(call);
  };
};

/** Lets a handler with a `Context` send questions to its client. A run may end with questions instead of a value. */
export const provideInput: Stage = (next, { handler, callsHandler }, { clientInput }) => {
  if (!handler.usesContext || !callsHandler) return next;
  return function provideRequester(call) {
    // A task has its own input requester. A middleware may run the handler several times.
    const requester = (call.inputRequester ??= clientInput.createRequester(call));
    const value = next(call);
    return isThenable(value) && requester.resolveOutcome !== undefined
      ? requester.resolveOutcome(value)
      : value;
  };
};

/** Turns files that a handler returns into content. */
export const sendFiles: Stage = (next, target, server) =>
  target.entry.files === true ? (server.createFileResults?.(next, target, server) ?? next) : next;
