import type { VNode } from "preact";
import type { Call } from "../state/calls.js";

const WORDS = {
  working: "The task is at work",
  input_required: "The task waits for an answer",
  completed: "The task is completed",
  failed: "The task has failed",
  cancelled: "The task was cancelled",
};

/** How the task is that a call was answered with. */
export function TaskView({ call: { task } }: { call: Call }): VNode | null {
  if (!task) return null;
  const { id, status, asked } = task;
  return (
    <section class="task" aria-label="Task">
      <p role="status">{WORDS[status]}</p>
      <p class="hint">
        <code>{id}</code>, asked {asked === 1 ? "once" : `${asked} times`}
      </p>
    </section>
  );
}
