/**
 * Adds a method to an existing project. The source keeps its formatting, and the decorator is imported.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import type { ClassDeclaration, ManipulationSettings, SourceFile } from "ts-morph";
import { IndentationText, NewLineKind, Project, QuoteKind, SyntaxKind } from "../typescript/typescript.js";
import { type DecoratorOptions, writeOptions } from "./option-source.js";
import { createTypeNames, toMethodName } from "./type-names.js";

/** The declaration to add. */
export interface NewDeclaration {
  readonly kind: "tool" | "prompt" | "resource";
  /** The name that clients see. */
  readonly name: string;
  /** Absolute path of the source file. It may not exist yet. */
  readonly file: string;
  /** The class to extend, required if the file exports several. Default: the only one, or a new one. */
  readonly className?: string;
}

/** The reason why nothing was added. */
export type AddFailure =
  | { readonly reason: "no-such-class" | "several-classes"; readonly classes: readonly string[] }
  | { readonly reason: "method-exists"; readonly className: string; readonly method: string };

/** The text of the whole file with the new declaration, and the names of its class and method. */
export interface AddedDeclaration {
  readonly text: string;
  readonly className: string;
  readonly method: string;
}

/**
 * Adds a method with a decorator to a class, or a class with one to a file. Does not write the file.
 *
 * @example
 * addDeclaration({ kind: "tool", name: "get_weather", file: "/project/src/weather.ts" })
 */
export function addDeclaration(declaration: NewDeclaration): AddedDeclaration | AddFailure {
  const { kind, name, file: path } = declaration;
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  // A hashbang must stay the first line.
  const [hashbang = ""] = /^#!.*\r?\n?/.exec(source) ?? [];
  const before = source.slice(hashbang.length);
  const style = readStyle(before);
  const project = new Project({ useInMemoryFileSystem: true, manipulationSettings: style });
  const file = project.createSourceFile("source.ts", before);
  const found = findClass(file, declaration);
  if ("reason" in found) return found;
  const { node } = found;
  const method = toMethodName(name);
  if (node.getInstanceMember(method) !== undefined || node.getStaticMember(method) !== undefined) {
    return { reason: "method-exists", className: node.getName() ?? "", method };
  }
  const { decorator, createUri, options, parameters, docs, body } = SAMPLES[kind];
  const own = writeOptions({ name: name === method ? undefined : name, ...options });
  const given = [
    ...(kind === "resource" ? [JSON.stringify(createUri(name))] : []),
    ...(own === undefined ? [] : [own]),
  ];
  node.addMethod({
    name: method,
    parameters: [...parameters],
    returnType: "string",
    docs: [`\n${docs}`],
    decorators: [{ name: decorator, arguments: given }],
    statements: [body],
  });
  importDecorator(file, decorator);
  return { text: hashbang + file.getFullText(), className: node.getName() ?? "", method };
}

/** Returns the formatting of existing source, for the new code. */
function readStyle(
  text: string,
): Pick<ManipulationSettings, "indentationText" | "newLineKind" | "quoteKind"> {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    indentationText: indent.startsWith("\t")
      ? IndentationText.Tab
      : indent.length >= 4
        ? IndentationText.FourSpaces
        : IndentationText.TwoSpaces,
    newLineKind: text.includes("\r\n") ? NewLineKind.CarriageReturnLineFeed : NewLineKind.LineFeed,
    quoteKind: /from '/.test(text) ? QuoteKind.Single : QuoteKind.Double,
  };
}

interface Sample {
  readonly decorator: "Tool" | "Prompt" | "Resource";
  createUri(name: string): string;
  readonly options?: DecoratorOptions;
  readonly parameters: readonly { name: string; type: string }[];
  readonly docs: string;
  readonly body: string;
}

const SAMPLES: Record<NewDeclaration["kind"], Sample> = {
  tool: {
    decorator: "Tool",
    createUri: () => "",
    // These options fit the sample. The author changes them when the tool does more.
    options: { readOnly: true, openWorld: false },
    parameters: [{ name: "text", type: "string" }],
    docs: "Describe when a model should call this tool.\n@param text The text to process",
    body: "return text;",
  },
  prompt: {
    decorator: "Prompt",
    createUri: () => "",
    parameters: [{ name: "topic", type: "string" }],
    docs: "Describe what this prompt asks a model to do.\n@param topic The subject of the answer",
    body: "return `Explain ${topic} in three sentences.`;",
  },
  resource: {
    decorator: "Resource",
    createUri: (name) => `${name.toLowerCase().replaceAll(/[^a-z0-9+.-]+/g, "-")}://{id}`,
    parameters: [{ name: "id", type: "string" }],
    docs: "Describe what this resource contains.\n@param id The ID of the text",
    body: "return `The text of ${id}`;",
  },
};

function findClass(
  file: SourceFile,
  { name, className }: NewDeclaration,
): { node: ClassDeclaration } | AddFailure {
  const exported = file.getClasses().filter((each) => each.isExported() && !each.isAbstract());
  const classes = exported.map((each) => each.getName() ?? "default");
  if (className !== undefined) {
    const node = exported.find((each) => each.getName() === className);
    if (node !== undefined) return { node };
    if (exported.length > 0) return { reason: "no-such-class", classes };
  }
  const [only] = exported;
  if (exported.length > 1) return { reason: "several-classes", classes };
  if (only !== undefined) return { node: only };
  const names = createTypeNames(
    file.getDescendantsOfKind(SyntaxKind.Identifier).map((each) => each.getText()),
  );
  return { node: addClass(file, className ?? names.create(name)) };
}

/** Adds a class as text, since `addClass` of ts-morph loses a comment on the line of the last statement. */
function addClass(file: SourceFile, name: string): ClassDeclaration {
  const end = /\r?\n$/.exec(file.getFullText())?.[0] ?? "\n";
  const gap = file.getFullText().trim() === "" ? "" : file.getFullText().endsWith(end) ? end : end + end;
  file.insertText(file.getEnd(), `${gap}export class ${name} {${end}}${end}`);
  return file.getClassOrThrow(name);
}

function importDecorator(file: SourceFile, name: string): void {
  const known = file.getImportDeclaration(
    (each) =>
      each.getModuleSpecifierValue() === "@tenon/runtime" && !each.isTypeOnly() && !each.getNamespaceImport(),
  );
  if (known === undefined) {
    file.insertImportDeclaration(0, { moduleSpecifier: "@tenon/runtime", namedImports: [name] });
    return;
  }
  const own = known.getNamedImports().find((each) => each.getName() === name && !each.getAliasNode());
  if (own === undefined) known.addNamedImport(name);
  else own.setIsTypeOnly(false);
}
