import { isCancel, multiselect } from "../terminal/prompts.js";
import { TARGET_NAMES, TARGET_PURPOSES, type TargetName } from "./targets/package-target.js";

/** Prompts the user for the targets. Returns undefined if the user cancels. */
export async function promptForTargets(): Promise<TargetName[] | undefined> {
  const answer = await multiselect<TargetName>({
    message: "Which targets? Select with Space, confirm with Enter.",
    options: TARGET_NAMES.map((name) => ({ value: name, label: name, hint: TARGET_PURPOSES[name] })),
  });
  return isCancel(answer) ? undefined : TARGET_NAMES.filter((name) => answer.includes(name));
}
