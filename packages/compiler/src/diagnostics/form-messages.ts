import { error, warning } from "./catalogue-entry.js";

/** What can be wrong with what a user is asked: the form of a call of `Context.elicit`, or the URL to open. */
export const formMessages = {
  "form-not-flat": error(
    (p: { type: string; reason: string; edit: string }) =>
      `\`elicit\` cannot ask for \`${p.type}\`, ${p.reason}: a form is one flat object of fields.`,
    (p) => p.edit,
  ),
  "form-type-parameter": error(
    (p: { type: string; parameter: string }) =>
      `\`elicit\` asks for \`${p.type}\`, but ${
        p.parameter === p.type ? "that" : `\`${p.parameter}\``
      } is a type parameter. The form is made when the project is built, before anyone calls this function with a type.`,
    () =>
      `Let each caller ask with its own type, \`ctx.elicit<Booking>(…)\`, and pass the answer (or a function that asks) to this one.`,
  ),
  "form-field-not-flat": error(
    (p: { field: string; type: string; reason: string; edit: string }) =>
      `Field \`${p.field}\` of the form is \`${p.type}\`, ${p.reason}.`,
    (p) => p.edit,
  ),
  "form-asks-for-secret": error(
    (p: { field: string }) =>
      `Field \`${p.field}\` of the form asks for a secret. What is typed into a form passes through the client, which may show it to a model or keep it.`,
    () =>
      `Send the user to a page of your own with \`elicitUrl\`, and take the secret there. If it is no secret, give it another name.`,
  ),
  "form-arguments-spread": error(
    () => `The arguments of \`elicit\` are spread, so the compiler cannot add the form to them.`,
    () => `Write them one by one: \`elicit<T>(message, options)\`.`,
  ),
  "elicited-url-invalid": error(
    (p: { url: string }) => `\`${p.url}\` is not a URL that a browser can open.`,
    () => `Write the whole URL, such as \`https://example.com/connect\`.`,
  ),
  "elicited-url-not-encrypted": warning(
    (p: { url: string }) =>
      `The user is sent to \`${p.url}\`, where everybody on the way can read what is entered, and change the page.`,
    () => `Use \`https:\`. Only pages on the user's own machine (\`localhost\`) do without.`,
  ),
};
