/**
 * `tasks/get`, `tasks/update`, and `tasks/cancel`: the extension `io.modelcontextprotocol/tasks`.
 *
 * @see https://modelcontextprotocol.io/extensions/tasks
 * @module
 */
import { hasCapabilities, createMissingCapabilityError } from "../questions/capabilities.js";
import type { Call } from "../connection/call.js";
import { createInvalidParamsError } from "../../api/errors.js";
import { prepareArguments } from "../../data/conversion/arguments.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { FoundTask, ScopedTask, ServerTasks } from "../tasks/server-tasks.js";
import { TASKS_CAPABILITY, TASKS_EXTENSION } from "../tasks/tasks-extension.js";
import { checkScopes } from "../stages/authorize.js";
import type { ServerParts } from "../stages/stage.js";
import { throwHandlerFailure, type Method, type MethodFamily } from "./method.js";

/**
 * Returns whether the author's callbacks still show the tool of a task to a caller, with the arguments of its call. A task
 * exists only for callers who can see its tool.
 */
export async function canSeeTool(
  call: Call,
  { tool, arguments: given }: ScopedTask,
  { entries, validation, reportError }: Pick<ServerParts, "entries" | "validation" | "reportError">,
): Promise<boolean> {
  const served = tool === undefined ? undefined : entries.tools.get(tool);
  if (served === undefined) return true;
  const { handler } = served;
  if (!handler.isEnabled(call)) return false;
  // Records of earlier versions have no arguments.
  if (!handler.authorizesArguments || given === undefined) return true;
  try {
    // Another process may have served the call.
    await validation.load("tools", tool);
    return handler.allows(call, prepareArguments(served.arguments, given));
  } catch (error) {
    reportError(error, `check whether the caller of the tool "${tool}" may see its task`, call);
    return false;
  }
}

export const tasks: MethodFamily = {
  createMethods: (source) => (source.tasks === undefined ? {} : createTaskMethods(source, source.tasks)),
  getCapabilities: (source, revision) =>
    revision.hasTasks && source.tasks !== undefined ? { extensions: { [TASKS_EXTENSION]: {} } } : undefined,
};

function createTaskMethods(server: ServerParts, tasks: ServerTasks): Record<string, Method> {
  const { settings, write } = server;
  const withTask = async (
    call: Call,
    act: (task: FoundTask) => object | void | Promise<void>,
  ): Promise<string> => {
    if (!hasCapabilities(call.client.capabilities, TASKS_CAPABILITY))
      throw createMissingCapabilityError(call, TASKS_CAPABILITY);
    const task = await tasks.find(call.params.taskId, call.peer.principal);
    if (task === undefined || !(await canSeeTool(call, task, server)))
      throw createInvalidParamsError("There is no such task. It may have expired.");
    try {
      checkScopes(call, task, settings);
    } catch (error) {
      throwHandlerFailure(server, error, "task", call);
    }
    const result = await act(task);
    return write(call.revision, result ?? {});
  };

  return {
    "tasks/get": (call) => withTask(call, (task) => task.details),

    "tasks/update": (call) =>
      withTask(call, (task) => {
        const { inputResponses } = call.params;
        if (!isObject(inputResponses)) throw createInvalidParamsError("`inputResponses` must be an object.");
        return task.answer(inputResponses);
      }),

    "tasks/cancel": (call) => withTask(call, (task) => task.cancel("The client cancelled the task.")),
  };
}
