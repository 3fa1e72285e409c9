/**
 * Generates Markdown from interfaces and functions and their doc comments, so that pages and editors show the same.
 * @module
 */
import { join } from "node:path";
import {
  type ClassDeclaration,
  type FunctionDeclaration,
  type InterfaceDeclaration,
  type JSDocableNode,
  Node,
  Project,
  type SourceFile,
} from "ts-morph";
import { workspace } from "../pages.js";

const project = new Project({ useInMemoryFileSystem: false, skipLoadingLibFiles: true });

/** Returns a source file by its path, relative to the repository. */
export function sourceFile(path: string): SourceFile {
  return project.getSourceFile(join(workspace, path)) ?? project.addSourceFileAtPath(join(workspace, path));
}

/** Describes an interface, and then its members, each under its own heading. */
export function interfaceSection(path: string, name: string, level = 2): string {
  const declared = sourceFile(path).getInterfaceOrThrow(name);
  const members = declared.getMembers().flatMap((member) => {
    if (!Node.isPropertySignature(member) && !Node.isMethodSignature(member)) return [];
    const heading = `${"#".repeat(level + 1)} \`${member.getName()}\``;
    return [
      [heading, signature(member.getText().replace(/^readonly /, "")), ...getDocs(member)].join("\n\n"),
    ];
  });
  return [`${"#".repeat(level)} ${name}`, ...inherits(declared), ...getDocs(declared), ...members].join(
    "\n\n",
  );
}

/** Describes a function. */
export function functionSection(path: string, name: string, level = 2): string {
  const implemented = sourceFile(path).getFunctionOrThrow(name);
  const declared = implemented.getOverloads()[0] ?? implemented;
  return [`${"#".repeat(level)} \`${name}\``, signature(toSignature(declared)), ...getDocs(declared)].join(
    "\n\n",
  );
}

/** Describes a class with its constructor, a constant, or a type alias. */
export function typeSection(path: string, name: string, level = 2): string {
  const heading = `${"#".repeat(level)} ${name}`;
  const file = sourceFile(path);
  const alias = file.getTypeAlias(name);
  if (alias) {
    // The type of a constant would only name that constant. The doc comment lists its values.
    const text = /\btypeof\b/.test(alias.getText()) ? [] : [signature(alias.getText(false))];
    return [heading, ...text, ...getDocs(alias)].join("\n\n");
  }
  const constant = file.getVariableStatement((each) =>
    each.getDeclarations().some((one) => one.getName() === name),
  );
  return [heading, ...(constant ? getDocs(constant) : describeClass(file.getClassOrThrow(name)))].join(
    "\n\n",
  );
}

/** Describes a class by its constructor and its doc comment. */
function describeClass(declared: ClassDeclaration): string[] {
  const [constructor] = declared.getConstructors();
  const parameters = constructor?.getParameters().map((each) => each.getText().replace(/^readonly /, ""));
  const text = parameters && `new ${declared.getName()}(${parameters.join(", ")})`;
  return [
    ...(text ? [signature(text)] : []),
    ...getDocs(declared),
    ...(constructor ? getDocs(constructor) : []),
  ];
}

function inherits(declared: InterfaceDeclaration): string[] {
  const bases = declared.getExtends().map((each) => `\`${toOneLine(each.getText())}\``);
  return bases.length === 0 ? [] : [`Extends ${bases.join(" and ")}.`];
}

function toSignature(declared: FunctionDeclaration): string {
  const types = declared.getTypeParameters().map((each) => each.getText());
  const parameters = declared.getParameters().map((each) => each.getText());
  const generic = types.length === 0 ? "" : `<${types.join(", ")}>`;
  return `function ${declared.getName()}${generic}(${parameters.join(", ")}): ${declared.getReturnTypeNode()?.getText() ?? "void"}`;
}

/** Formats a signature on one line if it fits. Omits comments for the linter. */
function signature(source: string): string {
  const text = source
    .replace(/^export /, "")
    .replace(/;$/, "")
    .replaceAll(/^\s*\/\/ oxlint-disable.*\n/gm, "");
  const flat = toOneLine(text);
  if (flat.length <= 90) return `\`${flat}\``;
  return `\`\`\`ts fragment="a signature"\n${text.replaceAll(/\n {2}/g, "\n")}\n\`\`\``;
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/,? (?=[)>])|, (?=\})|(?<=[(<]) /g, "");
}

/** Returns the text of a link to a specification, or to the documentation of a company. */
function getLinkText(url: string): string {
  return url.startsWith("https://developers.openai.com/")
    ? "In OpenAI's documentation"
    : "In the specification";
}

/** Returns the text of a doc comment, followed by its tags in their order. */
function getDocs(node: JSDocableNode): string[] {
  const [doc] = node.getJsDocs().slice(-1);
  if (!doc) return [];
  const parts: string[] = [prose(doc.getDescription())];
  for (const { name, text } of parseTags(doc.getText())) {
    if (name === "example")
      parts.push(`\`\`\`ts fragment="compiled where it is written"\n${code(text)}\n\`\`\``);
    else if (name === "see") parts.push(`[${getLinkText(text)}](${text})`);
    else if (name === "param")
      parts.push(`- \`${text.split(/\s+/)[0] ?? ""}\`: ${prose(text.replace(/^\S+\s+/, ""))}`);
    else if (name === "returns") parts.push(`Returns ${prose(text)}.`);
    else if (name === "throws") parts.push(`Throws ${prose(text).replace(/\.?$/, ".")}`);
  }
  return parts.filter((part) => part !== "");
}

/** Returns the tags of a doc comment. TypeScript would read decorators in examples as tags. */
function parseTags(docstring: string): { name: string; text: string }[] {
  const lines = docstring
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""));
  const tags: { name: string; text: string }[] = [];
  for (const line of lines) {
    const [, name, text = ""] =
      /^@(example|see|param|returns|throws|remarks|default)\b ?(.*)$/.exec(line) ?? [];
    const last = tags.at(-1);
    if (name !== undefined) tags.push({ name, text });
    else if (last) last.text += `\n${line}`;
  }
  return tags.map((tag) => ({ ...tag, text: tag.text.replace(/^\n/, "").trimEnd() }));
}

/** Converts the text of a doc comment to Markdown, with braces and angle brackets escaped. */
function prose(text: string): string {
  return text
    .trim()
    .replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`")
    .replaceAll(/^ +/gm, (spaces) => (spaces.length > 2 ? "  " : ""))
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "{ {")))
    .join("");
}

function code(text: string): string {
  return text.replaceAll("*\\/", "*/").replaceAll("\\@", "@");
}
