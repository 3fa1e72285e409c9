import { error, warning } from "./catalog-entry.js";
import { formatList, formatNames } from "./format-list.js";

/** A problem, and the directories whose rule it breaks. */
export interface DirectoryProblem {
  /** Their names, such as "OpenAI". */
  directories: readonly string[];
}

export interface ToolProblem extends DirectoryProblem {
  tool: string;
}

/** The messages about rules of public directories. Only `tenon check --directory` reports them. */
export const directoryMessages = {
  "directory-tool-search": error(
    (p: DirectoryProblem) =>
      `The server has \`toolSearch\`. ${formatDirectories(p, "does", "do")} not accept tools that search for unlisted tools.`,
    () => `Remove \`toolSearch\` from \`defineServer\` for the server that you submit.`,
  ),
  "directory-description-missing": error(
    (p: ToolProblem) =>
      `The tool \`${p.tool}\` has no description. ${formatDirectories(p, "requires", "require")} one.`,
    () => `Write a comment above the method: what the tool does, when to use it, and its limits.`,
  ),
  "directory-description-repeats-name": error(
    (p: ToolProblem) =>
      `The description of the tool \`${p.tool}\` only repeats its name, so ${formatDirectories(p, "grades", "grade")} it as if it stated no purpose.`,
    () => `Write what the tool does, with a verb and an object, and how it differs from the others.`,
  ),
  "directory-description-hidden": error(
    (p: ToolProblem & { text: string }) =>
      `The description of the tool \`${p.tool}\` contains ${p.text}, which models read and people do not see. ${formatDirectories(p, "rejects", "reject")} hidden text.`,
    () => `Remove the hidden text.`,
  ),
  "directory-description-steers": warning(
    (p: ToolProblem & { phrase: string }) =>
      `The description of the tool \`${p.tool}\` tells the model what to choose ("${p.phrase}"). ${formatDirectories(p, "does", "do")} not allow this.`,
    () => `Describe what the tool does and when it applies, without instructions or comparisons.`,
  ),
  "directory-description-long": warning(
    (p: ToolProblem & { length: number; limit: number }) =>
      `The description of the tool \`${p.tool}\` has ${p.length} characters. One developer reported that ${formatDirectories(p, "rejects", "reject")} more than ${p.limit}.`,
    () =>
      `Shorten it if OpenAI's scan of your server reports it. Details of arguments belong in their own descriptions.`,
  ),
  "directory-effect-undeclared": error(
    (p: ToolProblem & { isWriting: boolean }) =>
      p.isWriting
        ? `The tool \`${p.tool}\` does not set \`destructive\`. ${formatDirectories(p, "requires", "require")} it.`
        : `The tool \`${p.tool}\` sets neither \`readOnly\` nor \`destructive\`. ${formatDirectories(p, "requires", "require")} one of them.`,
    (p) =>
      `${p.isWriting ? "Write" : "Write `readOnly: true` if it changes nothing,"} \`destructive: true\` if it deletes, overwrites, or sends something, and otherwise \`destructive: false\`.`,
  ),
  "directory-reach-undeclared": error(
    (p: ToolProblem) =>
      `The tool \`${p.tool}\` does not set \`openWorld\`. ${formatDirectories(p, "requires", "require")} it.`,
    () =>
      `Write \`openWorld: true\` if it reaches more than the data of this server or of the user's own account, such as the web, and otherwise \`openWorld: false\`.`,
  ),
  "directory-effect-neither": warning(
    (p: ToolProblem) =>
      `The tool \`${p.tool}\` is neither read-only nor destructive. According to its documentation, ${formatDirectories(p, "accepts", "accept")} only tools that are one or the other.`,
    () => `Write \`destructive: true\`, or explain in the submission that the tool only adds.`,
  ),
  "directory-title-missing": error(
    (p: ToolProblem) =>
      `The tool \`${p.tool}\` has no title. ${formatDirectories(p, "requires", "require")} one.`,
    () => `Write \`@Tool({ title: "…" })\`, or the tag \`@title\` in the comment.`,
  ),
  "directory-title-uninformative": warning(
    (p: ToolProblem & { title: string }) =>
      `The title "${p.title}" of the tool \`${p.tool}\` is not longer than the name, so ${formatDirectories(p, "does", "do")} not count it.`,
    () => `Write a title that says more, such as a verb and its object.`,
  ),
  "directory-name-long": error(
    (p: ToolProblem & { length: number; limit: number }) =>
      `The name of the tool \`${p.tool}\` has ${p.length} characters, but ${formatDirectories(p, "accepts", "accept")} at most ${p.limit}.`,
    () => `Choose a shorter name with \`@Tool({ name: "…" })\`.`,
  ),
  "directory-arguments-undescribed": warning(
    (p: ToolProblem & { coverage: number; limit: number; names: readonly string[] }) =>
      `${p.coverage}% of the arguments of the tool \`${p.tool}\` have a description. ${formatDirectories(p, "expects", "expect")} more than ${p.limit}%.`,
    (p) => `Describe ${formatNames(p.names)}: with \`@param\`, or with a comment above the property.`,
  ),
  "directory-tool-catch-all": warning(
    (p: ToolProblem & { argument?: string }) =>
      `The tool \`${p.tool}\` seems to do several things${p.argument === undefined ? "" : `, and its argument \`${p.argument}\` selects one`}. ${formatDirectories(p, "requires", "require")} a tool for each, and separate tools for reading and writing.`,
    () => `Write a method for each operation, with its own hints.`,
  ),
  "directory-argument-of-conversation": warning(
    (p: ToolProblem & { argument: string }) =>
      `The argument \`${p.argument}\` of the tool \`${p.tool}\` seems to receive parts of the conversation. ${formatDirectories(p, "does", "do")} not allow this.`,
    () => `Ask for the facts that the tool needs. Rename the argument if it is something else.`,
  ),
  "directory-argument-of-location": warning(
    (p: ToolProblem & { argument: string }) =>
      `The argument \`${p.argument}\` of the tool \`${p.tool}\` seems to receive the user's location. ${formatDirectories(p, "does", "do")} not allow this.`,
    () => `Ask for a place, such as \`city\`. Rename the argument if it is not about the user.`,
  ),
  "directory-result-traced": warning(
    (p: ToolProblem & { property: string }) =>
      `The result of the tool \`${p.tool}\` contains \`${p.property}\`. ${formatDirectories(p, "does", "do")} not allow identifiers of sessions, traces, or requests in results.`,
    () => `Remove it from the return type; write it to the log instead.`,
  ),
  "directory-view-policy-missing": error(
    (p: DirectoryProblem & { view: string }) =>
      `The view \`${p.view}\` has no \`csp\`. ${formatDirectories(p, "requires", "require")} one.`,
    () => `Write \`view: { file: "…", csp: {} }\` for a view that reaches no other origin.`,
  ),
  "directory-view-domain-missing": error(
    (p: DirectoryProblem & { view: string }) =>
      `The view \`${p.view}\` does not have its own domain. ${formatDirectories(p, "requires", "require")} one.`,
    () =>
      `Write \`openai: { domain: "https://weather.example.com" }\` in the options of the view, and \`dialects: ["openai"]\` in \`defineServer\`.`,
  ),
  "directory-view-frames": warning(
    (p: DirectoryProblem & { view: string }) =>
      `The view \`${p.view}\` may embed other pages (\`frameDomains\`). ${formatDirectories(p, "asks", "ask")} for a reason.`,
    () => `Explain it in the submission, or open the pages with \`app.openLink\`.`,
  ),
  "directory-dialect-missing": warning(
    (p: DirectoryProblem & { what: string }) =>
      `Without the dialect \`openai\`, ${formatDirectories(p, "does", "do")} not see ${p.what}.`,
    () => `Write \`defineServer({ dialects: ["openai"], … })\`.`,
  ),
  "directory-domain-unverified": warning(
    (p: DirectoryProblem) =>
      `The server has no route that proves ownership of its domain. ${formatDirectories(p, "requires", "require")} one.`,
    () =>
      `Write \`http: { routes: routes(openAiChallenge(process.env["OPENAI_APPS_CHALLENGE"])) }\`, with both functions from \`@tenon/runtime/routes\`, and set the variable to the token that OpenAI shows when you submit the server.`,
  ),
  "directory-skill-limit": error(
    (p: DirectoryProblem & { subject: string; amount: string; limit: string }) =>
      `${p.subject} ${p.amount}. ${formatDirectories(p, "imports", "import")} at most ${p.limit}, and no skill at all if one exceeds a limit.`,
    () =>
      `If there are too many skills, join workflows that belong together. If a skill is too large, shorten it, or move its data to a tool or a resource.`,
  ),
  "directory-listing-long": warning(
    (p: DirectoryProblem & { option: string; length: number; limit: number }) =>
      `\`${p.option}\` has ${p.length} characters, but ${formatDirectories(p, "accepts", "accept")} at most ${p.limit} in a listing.`,
    (p) =>
      `Shorten \`${p.option}\` in \`defineServer\` or package.json, or write a shorter one in the submission.`,
  ),
  "directory-settings-incomplete": error(
    (p: DirectoryProblem & { problem: string; hint: string }) => p.problem,
    (p) => p.hint,
  ),
};

/** Returns the beginning of a sentence about directories, such as "OpenAI and Glama require". */
function formatDirectories({ directories }: DirectoryProblem, singular: string, plural: string): string {
  return `${formatList(directories)} ${directories.length > 1 ? plural : singular}`;
}
