import { error, warning } from "./catalog-entry.js";

/** The messages about the options of decorators and of `defineServer`. */
export const optionMessages = {
  "option-invalid": error(
    (p: { option: string; expected: string; value?: string }) =>
      `\`${p.option}\` must be ${p.expected}${p.value === undefined ? "" : `, but it is \`${p.value}\``}.`,
    () => `Change the value, or remove the option to use its default.`,
  ),
  "option-unknown": error(
    (p: { option: string; nearest: string | undefined; known: readonly string[] }) =>
      `There is no option \`${p.option}\`, so it has no effect.`,
    (p) =>
      p.nearest === undefined
        ? `Remove it, or use one of ${p.known.map((each) => `\`${each}\``).join(", ")}.`
        : `Did you mean \`${p.nearest}\`?`,
  ),
  "option-without-effect": error(
    (p: { option: string; reason: string; edit: string }) =>
      `\`${p.option}\` has no effect, because ${p.reason}.`,
    (p) => p.edit,
  ),
  "hints-contradictory": error(
    (p: { tool: string; option: "destructive" | "idempotent"; value: boolean }) =>
      `\`readOnly: true\` declares that the tool \`${p.tool}\` changes nothing, but \`${p.option}: ${p.value}\` declares the opposite.`,
    (p) => `Remove \`readOnly\` if the tool changes something; otherwise, remove \`${p.option}\`.`,
  ),
  "authorize-arguments-optional": error(
    () =>
      `\`authorize\` would decide without the arguments of the call, because Tenon reads the \`length\` of the function, which does not count a rest parameter or a parameter with a default value.`,
    () => `Write \`(user, args) => …\`. The callback always receives the arguments.`,
  ),
  "task-start-ignored": warning(
    (p: { reason: string; edit: string }) => `\`startTask\` has no effect, because ${p.reason}.`,
    (p) => p.edit,
  ),
  "task-never-started": warning(
    (p: { tool: string }) =>
      `The tool \`${p.tool}\` never runs as a task: its task starts when the handler calls \`startTask\`, but nothing in this project does.`,
    () =>
      `Call \`ctx.startTask()\` in the handler, or remove \`taskStart\`, so that the task starts with the call.`,
  ),
  "completion-unknown": error(
    (p: {
      name: string;
      noun: "argument" | "variable";
      subject: string;
      nearest: string | undefined;
      known: readonly string[];
    }) => `\`complete.${p.name}\` is never called: \`${p.subject}\` has no ${p.noun} \`${p.name}\`.`,
    (p) =>
      p.known.length === 0
        ? `Remove the callback.`
        : p.nearest === undefined
          ? `Use the name of ${p.noun === "argument" ? "an argument" : "a variable"}: ${p.known.map((each) => `\`${each}\``).join(", ")}.`
          : `Did you mean \`${p.nearest}\`?`,
  ),
};
