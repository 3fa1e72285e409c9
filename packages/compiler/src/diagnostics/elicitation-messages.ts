import { error, warning } from "./catalog-entry.js";

/** The messages about elicitation: the form of `ctx.elicit`, and the URL that `ctx.elicitUrl` opens. */
export const elicitationMessages = {
  "elicitation-not-flat": error(
    (p: { method: string; type: string; reason: string; edit: string }) =>
      `\`${p.method}\` cannot ask for \`${p.type}\`, ${p.reason}: a form is one flat object of fields.`,
    (p) => p.edit,
  ),
  "elicitation-type-parameter": error(
    (p: { method: string; type: string; parameter: string }) =>
      `\`${p.method}\` asks for \`${p.type}\`, but ${
        p.parameter === p.type ? "that" : `\`${p.parameter}\``
      } is a type parameter. The form is created when the project is built, before any caller chooses the type.`,
    (p) =>
      `Let each caller ask with its own type, \`ctx.${p.method}<Booking>(…)\`, and pass the answer (or a function that asks) to this function.`,
  ),
  "elicitation-field-not-flat": error(
    (p: { field: string; type: string; reason: string; edit: string }) =>
      `Field \`${p.field}\` of the form is \`${p.type}\`, ${p.reason}.`,
    (p) => p.edit,
  ),
  "elicitation-asks-for-secret": error(
    (p: { field: string }) =>
      `Field \`${p.field}\` of the form asks for a secret. Text entered into a form passes through the client, which may show it to a model or store it.`,
    () =>
      `Send the user to your own page with \`elicitUrl\`, and ask for the secret there. If it is not a secret, rename the field.`,
  ),
  "elicitation-arguments-spread": error(
    (p: { method: string }) =>
      `The arguments of \`${p.method}\` are spread, so the compiler cannot add the form to them.`,
    (p) => `Pass the arguments separately: \`${p.method}<T>(message, options)\`.`,
  ),
  "elicitation-answer-unread": error(
    (p: { method: "elicit" | "elicitUrl" }) =>
      `Nothing reads the \`action\` of this answer, so the handler continues even if the user ${p.method === "elicit" ? "declines or cancels" : "does not agree to open the page"}.`,
    (p) =>
      p.method === "elicit"
        ? `Write \`ctx.ask\` instead, which ends the call if the user declines, or check \`answer.action !== "accept"\`.`
        : `Check \`answer.action !== "accept"\` before the handler continues.`,
  ),
  "question-not-awaited": error(
    (p: { method: string }) =>
      `\`${p.method}\` is not awaited, so the handler continues, and may end, before the result is known. Errors are lost.`,
    (p) => `Write \`await\` before the call to \`${p.method}\`.`,
  ),
  "step-key-repeated": warning(
    (p: { key: string; by: "loop" | "step" }) =>
      p.by === "loop"
        ? `Each iteration uses the key \`${p.key}\`, so only the first one runs the effect, and the others return its result.`
        : `An earlier step has the key \`${p.key}\`, too, so this effect never runs, and the step returns the earlier result.`,
    (p) =>
      p.by === "loop"
        ? `Add what differs, such as the item's ID, to the key: \`\${id} ${p.key}\`.`
        : `Use another key, or the result of the earlier step.`,
  ),
  "elicitation-url-invalid": error(
    (p: { url: string }) => `\`${p.url}\` is not a URL that a browser can open.`,
    () => `Write the complete URL, such as \`https://example.com/connect\`.`,
  ),
  "elicitation-url-not-encrypted": warning(
    (p: { url: string }) =>
      `The user is sent to \`${p.url}\`, which is not encrypted: anyone on the network path can read the user's input and change the page.`,
    () => `Use \`https:\`. Only pages on the user's own machine (\`localhost\`) may use \`http:\`.`,
  ),
};
