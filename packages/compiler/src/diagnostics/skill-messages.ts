import { error, warning } from "./catalog-entry.js";

/** The problems of a file that cannot be part of a skill. */
export type SkillFileProblem =
  | "link-outside"
  | "link-broken"
  | "link-circular"
  | "not-a-file"
  | "name"
  | "case"
  | "not-text"
  | "control-character";

const FILE_PROBLEMS: Readonly<Record<SkillFileProblem, (other: string) => { is: string; edit: string }>> = {
  "link-outside": () => ({
    is: "is a symbolic link to a file outside `skills/`, which could publish any file on this machine",
    edit: "Copy the file into the folder of the skill.",
  }),
  "link-broken": () => ({
    is: "is a symbolic link to a file that does not exist",
    edit: "Correct or remove the link.",
  }),
  "link-circular": () => ({
    is: "is a symbolic link to a folder that contains the link",
    edit: "Remove the link, or let it point to the files that the skill needs.",
  }),
  "not-a-file": () => ({ is: "is neither a file nor a folder", edit: "Remove it." }),
  name: (other) => ({
    is: `has ${other}, so clients on Windows cannot store it`,
    edit: "Rename the file.",
  }),
  case: (other) => ({
    is: `differs from \`${other}\` only in case, so clients on Windows and macOS can store only one of them`,
    edit: "Rename one of the files.",
  }),
  "not-text": () => ({ is: "is not text in UTF-8", edit: "Save the file as UTF-8." }),
  "control-character": (other) => ({
    is: `contains the invisible character ${other}, which changes how the surrounding text is displayed`,
    edit: "Remove the character.",
  }),
};

const FRONTMATTER_PROBLEMS = {
  "byte-order-mark": {
    is: "starts with a byte order mark, so clients do not find its frontmatter",
    edit: "Save the file as UTF-8 without a byte order mark (BOM).",
  },
  missing: {
    is: "does not start with frontmatter",
    edit: "Write `name: …` and `description: …` between two `---` lines at the start of the file.",
  },
  unclosed: {
    is: "starts with frontmatter that does not end",
    edit: "Write a `---` line after the frontmatter.",
  },
} as const;

const UNSERVED = {
  hidden: {
    is: "is not served, because hidden files are not part of a skill",
    edit: "Rename the file, or remove it from `skills/`.",
  },
  misspelled: {
    is: "does not make its folder a skill, because its name is not exactly `SKILL.md`",
    edit: "Rename the file to `SKILL.md`.",
  },
  "no-skill": {
    is: "is not served, because neither it nor a parent folder contains a SKILL.md",
    edit: "Add a SKILL.md with `npx tenon add skill`, or move the files into the folder of a skill.",
  },
  "at-root": {
    is: "is not served, because it is not in the folder of a skill",
    edit: "Move it into the folder of a skill, such as `skills/refunds/`.",
  },
} as const;

/** The problems of a resource with the URI of a skill. */
export type SkillResourceProblem =
  "name" | "no-description" | "description-too-long" | "mime-type" | "not-text" | "in-folder" | "no-skill";

const RESOURCE_PROBLEMS: Readonly<
  Record<SkillResourceProblem, (other: string) => { is: string; edit: string }>
> = {
  name: (other) => ({
    is: `is a skill, but \`${other}\` is not a valid skill name: names have at most 64 lowercase letters and digits, with single hyphens between them`,
    edit: "Change the part of the URI before `/SKILL.md`.",
  }),
  "no-description": () => ({
    is: "is a skill without a description, but models choose skills by their descriptions",
    edit: "Describe in the comment of the method what the skill does and when to use it.",
  }),
  "description-too-long": (other) => ({
    is: `is a skill whose description has ${other} characters, but clients accept at most 1024`,
    edit: "Shorten the description.",
  }),
  "mime-type": (other) => ({
    is: `is a skill, which is Markdown, but its MIME type is \`${other}\``,
    edit: "Remove `mimeType`.",
  }),
  "not-text": (other) => ({
    is: `is a skill, but its method returns \`${other}\``,
    edit: "Return the instructions in Markdown as a string. The server adds the frontmatter.",
  }),
  "in-folder": (other) => ({
    is: `shares a folder with the skill \`skills/${other}\`, whose files cannot be generated because clients verify them`,
    edit: `Choose another URI, such as \`daily://report\`, and mention it in the skill. Or remove \`skills/${other}\`, and generate the whole skill.`,
  }),
  "no-skill": () => ({
    is: "is not a file of a generated skill",
    edit: "Choose a URI in the folder of one, such as `skill://daily/data.csv` for `skill://daily/SKILL.md`, or a scheme other than `skill:`.",
  }),
};

/** A part of the server that a skill mentions. */
export type MentionKind = "tool" | "prompt" | "resource";

/** The messages about skills. */
export const skillMessages = {
  "skill-frontmatter-missing": error(
    (p: { file: string; problem: keyof typeof FRONTMATTER_PROBLEMS }) =>
      `\`${p.file}\` ${FRONTMATTER_PROBLEMS[p.problem].is}.`,
    (p) => FRONTMATTER_PROBLEMS[p.problem].edit,
  ),
  "skill-frontmatter-invalid": error(
    (p: { problem: string; edit: string }) => p.problem,
    (p) => p.edit,
  ),
  "skill-frontmatter-ambiguous": warning(
    (p: { member: string }) =>
      `Clients read \`${p.member}\` in the frontmatter differently: versions 1.1 and 1.2 of YAML give it different values, and clients reject a skill whose frontmatter differs from the listed one.`,
    () => `Put the value in quotes.`,
  ),
  "skill-name-invalid": error(
    (p: { name: string | undefined; folder: string; isFolderValid: boolean }) =>
      !p.isFolderValid
        ? `\`${p.folder}\` is not a valid skill name: names have at most 64 lowercase letters and digits, with single hyphens between them.`
        : p.name === undefined
          ? `The skill in the folder \`${p.folder}\` lacks a \`name\`.`
          : `The skill is named \`${p.name}\`, but its folder is \`${p.folder}\`. Clients reject a skill if these differ.`,
    (p) =>
      p.isFolderValid
        ? `Write \`name: ${p.folder}\`, or rename the folder.`
        : `Rename the folder, and write the same name in the frontmatter.`,
  ),
  "skill-name-repeated": warning(
    (p: { name: string; paths: readonly string[] }) =>
      `${p.paths.map((each) => `\`skills/${each}\``).join(" and ")} are both named \`${p.name}\`, so people cannot tell them apart.`,
    () => `Rename one of the folders, and the \`name\` in its SKILL.md.`,
  ),
  "skill-file-invalid": error(
    (p: { path: string; reason: SkillFileProblem; other?: string }) =>
      `\`${p.path}\` ${FILE_PROBLEMS[p.reason](p.other ?? "").is}.`,
    (p) => FILE_PROBLEMS[p.reason](p.other ?? "").edit,
  ),
  "skill-file-unserved": warning(
    (p: { path: string; reason: keyof typeof UNSERVED }) => `\`${p.path}\` ${UNSERVED[p.reason].is}.`,
    (p) => UNSERVED[p.reason].edit,
  ),
  "skill-too-large": error(
    (p: { path: string; files: number; megabytes: number; maxFiles: number; maxMegabytes: number }) =>
      p.files > p.maxFiles
        ? `The skill \`${p.path}\` has ${p.files} files. Clients are only required to accept ${p.maxFiles}.`
        : `The skill \`${p.path}\` is ${p.megabytes} MiB in size. Clients are only required to accept ${p.maxMegabytes} MiB.`,
    () => `Split the skill, or let a tool return what it needs.`,
  ),
  "skill-mention-unknown": error(
    (p: { kind: MentionKind; name: string; actual?: MentionKind; nearest?: string | undefined }) =>
      p.actual
        ? `The skill mentions the ${p.kind} \`${p.name}\`, but \`${p.name}\` is a ${p.actual}.`
        : `The skill mentions the ${p.kind} \`${p.name}\`, which this server does not have.`,
    (p) => {
      if (p.actual) return `Write that it is a ${p.actual}.`;
      const elsewhere =
        p.kind === "tool"
          ? ` If another server or program has \`${p.name}\`, write \`Server:${p.name}\`, or list it in \`allowed-tools\`.`
          : "";
      return `${p.nearest === undefined ? "Write the name of one that exists." : `Did you mean \`${p.nearest}\`?`}${elsewhere}`;
    },
  ),
  "skill-mention-similar": warning(
    (p: { name: string; nearest: string; kind: MentionKind }) =>
      `The skill contains \`${p.name}\`, which this server does not have. It has the ${p.kind} \`${p.nearest}\`.`,
    (p) =>
      `Write \`${p.nearest}\` if you mean the ${p.kind}. Otherwise, choose another word, or remove the backticks.`,
  ),
  "skill-resource-invalid": error(
    (p: { uri: string; reason: SkillResourceProblem; other?: string }) =>
      `\`${p.uri}\` ${RESOURCE_PROBLEMS[p.reason](p.other ?? "").is}.`,
    (p) => RESOURCE_PROBLEMS[p.reason](p.other ?? "").edit,
  ),
  "skill-options-unknown": error(
    (p: { name: string; nearest?: string | undefined }) =>
      `\`skills\` of \`defineServer\` contains \`${p.name}\`, but there is no folder \`skills/${p.name}\` with a SKILL.md.`,
    (p) => (p.nearest === undefined ? `Remove it.` : `Did you mean \`${p.nearest}\`?`),
  ),
  "skill-link-broken": warning(
    (p: { target: string; nearest?: string | undefined }) =>
      `The skill refers to \`${p.target}\`, but has no such file.`,
    (p) =>
      p.nearest === undefined
        ? `Add the file, or correct the path. Paths are relative to the folder of the skill.`
        : `Did you mean \`${p.nearest}\`? Paths are relative to the folder of the skill.`,
  ),
};
