/**
 * `tasks/get`, `tasks/update` and `tasks/cancel`: the extension `io.modelcontextprotocol/tasks`.
 *
 * @see https://modelcontextprotocol.io/extensions/tasks
 * @module
 */
import { declares, missingCapability } from "../ask/questions/capabilities.js";
import type { Call } from "../connection/call.js";
import { whenReady } from "../connection/settle.js";
import { invalidParams } from "../api/errors.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { WriteResult } from "../results/envelope.js";
import type { FoundTask, ServerTasks } from "../tasks/server-tasks.js";
import { TASKS_CAPABILITY, TASKS_EXTENSION } from "../tasks/tasks-extension.js";
import type { Method, MethodFamily } from "./method.js";

export const tasks: MethodFamily = {
  methods: (source) => (source.tasks === undefined ? {} : createTaskMethods(source.write, source.tasks)),
  capabilities: (source, revision) =>
    revision.tasks && source.tasks !== undefined ? { extensions: { [TASKS_EXTENSION]: {} } } : undefined,
};

function createTaskMethods(write: WriteResult, tasks: ServerTasks): Record<string, Method> {
  const onTask = (
    call: Call,
    act: (task: FoundTask) => object | void | Promise<void>,
  ): string | Promise<string> => {
    if (!declares(call.client.capabilities, TASKS_CAPABILITY))
      throw missingCapability(call, TASKS_CAPABILITY);
    return whenReady(tasks.find(call.params.taskId, call.peer.principal), (task) => {
      if (task === undefined) throw invalidParams("There is no such task; it may have expired.");
      return whenReady(act(task), (result) => write(call.revision, result ?? {}));
    });
  };

  return {
    "tasks/get": (call) => onTask(call, (task) => task.details),

    "tasks/update": (call) =>
      onTask(call, (task) => {
        const { inputResponses } = call.params;
        if (!isObject(inputResponses)) throw invalidParams("`inputResponses` must be an object.");
        return task.answer(inputResponses);
      }),

    "tasks/cancel": (call) => onTask(call, (task) => task.cancel("The client cancelled the task.")),
  };
}
