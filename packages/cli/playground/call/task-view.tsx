import type { VNode } from "preact";
import type { Call } from "../state/calls.js";

const STATUS_TEXTS = {
  working: "The task is running",
  input_required: "The task is waiting for input",
  completed: "The task is complete",
  failed: "The task failed",
  cancelled: "The task was cancelled",
};

/** The state of the task of a call, if it has one. */
export function TaskView({ call: { task } }: { call: Call }): VNode | null {
  if (!task) return null;
  const { id, status, pollCount } = task;
  return (
    <section class="task" aria-label="Task">
      <p role="status">{STATUS_TEXTS[status]}</p>
      <p class="hint">
        <code>{id}</code>, polled {pollCount === 1 ? "once" : `${pollCount} times`}
      </p>
    </section>
  );
}
