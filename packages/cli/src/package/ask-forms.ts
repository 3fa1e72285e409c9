import { isCancel, multiselect } from "@clack/prompts";
import { FORM_NAMES, FORM_PURPOSES, type FormName } from "./forms/package-form.js";

/** Asks the person at the terminal what to make; undefined when they give up. */
export async function askForms(): Promise<FormName[] | undefined> {
  const answer = await multiselect<FormName>({
    message: "What shall be made? Space chooses, Enter goes on.",
    options: FORM_NAMES.map((name) => ({ value: name, label: name, hint: FORM_PURPOSES[name] })),
  });
  return isCancel(answer) ? undefined : FORM_NAMES.filter((name) => answer.includes(name));
}
