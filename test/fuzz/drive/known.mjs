import { PLACEHOLDERS } from "../generate/messages.mjs";

/** Values that a driver has received from the server and uses in later messages. */
export class Known {
  state = "none";
  task = "none";
  session = "none";
  event = "0-0";

  /** Remembers the IDs, states, and cursors in a message of the server. @param {any} message */
  learn(message) {
    const result = message?.result;
    if (typeof result?.requestState === "string") this.state = result.requestState;
    const task = result?.taskId ?? result?.task?.taskId;
    if (typeof task === "string") this.task = task;
  }

  /** @param {string} text */
  fill(text) {
    if (!text.includes("$")) return text;
    return text
      .replaceAll(PLACEHOLDERS.state, this.state)
      .replaceAll(PLACEHOLDERS.task, this.task)
      .replaceAll(PLACEHOLDERS.session, this.session)
      .replaceAll(PLACEHOLDERS.event, this.event);
  }
}
