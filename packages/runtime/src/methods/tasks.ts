/**
 * `tasks/get`, `tasks/update` and `tasks/cancel`: the extension `io.modelcontextprotocol/tasks`.
 *
 * @see https://modelcontextprotocol.io/extensions/tasks
 * @module
 */
import { declares, missingCapability } from "../ask/capabilities.js";
import type { Call } from "../connection/call.js";
import { invalidParams } from "../api/errors.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { WriteResult } from "../results/envelope.js";
import type { ServerTasks } from "../tasks/serve-task.js";
import { TASKS_CAPABILITY, TASKS_EXTENSION } from "../tasks/tasks-extension.js";
import type { Task } from "../tasks/task.js";
import type { Method, MethodFamily } from "./method.js";

export const tasks: MethodFamily = {
  methods: (source) => (source.tasks === undefined ? {} : createTaskMethods(source.write, source.tasks)),
  capabilities: (source, revision) =>
    revision.tasks && source.tasks !== undefined ? { extensions: { [TASKS_EXTENSION]: {} } } : undefined,
};

function createTaskMethods(write: WriteResult, { store }: ServerTasks): Record<string, Method> {
  const find = (call: Call): Task => {
    if (!declares(call.client.capabilities, TASKS_CAPABILITY))
      throw missingCapability(call, TASKS_CAPABILITY);
    const task = store.find(call.params.taskId, call.peer.principal);
    if (task === undefined) throw invalidParams("There is no such task; it may have expired.");
    return task;
  };

  return {
    "tasks/get": (call) => write(call.revision, find(call).details),

    "tasks/update": (call) => {
      const task = find(call);
      const { inputResponses } = call.params;
      if (!isObject(inputResponses)) throw invalidParams("`inputResponses` must be an object.");
      task.answer(inputResponses);
      return write(call.revision, {});
    },

    "tasks/cancel": (call) => {
      find(call).cancel("The client cancelled the task.");
      return write(call.revision, {});
    },
  };
}
