/**
 * A method more in a project there is: the source keeps its form, and what it needs is imported.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import {
  type ClassDeclaration,
  IndentationText,
  type ManipulationSettings,
  NewLineKind,
  Project,
  QuoteKind,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import { optionsText } from "./option-source.js";
import { createTypeNames, methodName } from "./type-names.js";

/** What is to be added. */
export interface NewDeclaration {
  readonly kind: "tool" | "prompt" | "resource";
  /** As clients are to know it. */
  readonly name: string;
  /** The source file, absolute; it need not exist. */
  readonly file: string;
  /** Where the file has several exported classes. Default: the only one, or a new one. */
  readonly className?: string;
}

/** Why nothing can be added. */
export type Obstacle =
  | { readonly obstacle: "no-such-class" | "several-classes"; readonly classes: readonly string[] }
  | { readonly obstacle: "method-exists"; readonly className: string; readonly method: string };

/** The whole text of the file with the declaration in it, and where. */
export interface AddedDeclaration {
  readonly text: string;
  readonly className: string;
  readonly method: string;
}

/**
 * Adds a method with a decorator to a class, or a class with one to a file. Nothing is written.
 *
 * @example
 * addDeclaration({ kind: "tool", name: "get_weather", file: "/project/src/weather.ts" })
 */
export function addDeclaration(declaration: NewDeclaration): AddedDeclaration | Obstacle {
  const { kind, name, file: path } = declaration;
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  // A line for the system comes before everything.
  const [hashbang = ""] = /^#!.*\r?\n?/.exec(source) ?? [];
  const before = source.slice(hashbang.length);
  const style = styleOf(before);
  const project = new Project({ useInMemoryFileSystem: true, manipulationSettings: style });
  const file = project.createSourceFile("source.ts", before);
  const found = classIn(file, declaration);
  if ("obstacle" in found) return found;
  const { node } = found;
  const method = methodName(name);
  if (node.getInstanceMember(method) !== undefined || node.getStaticMember(method) !== undefined) {
    return { obstacle: "method-exists", className: node.getName() ?? "", method };
  }
  const { decorator, uri, parameters, docs, body } = SAMPLES[kind];
  const own = optionsText({ name: name === method ? undefined : name });
  const given = [
    ...(kind === "resource" ? [JSON.stringify(uri(name))] : []),
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
  importFrom(file, decorator);
  return { text: hashbang + file.getFullText(), className: node.getName() ?? "", method };
}

/** How the author writes: it is written so, too. */
function styleOf(text: string): Pick<ManipulationSettings, "indentationText" | "newLineKind" | "quoteKind"> {
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
  uri(name: string): string;
  readonly parameters: readonly { name: string; type: string }[];
  readonly docs: string;
  readonly body: string;
}

const SAMPLES: Record<NewDeclaration["kind"], Sample> = {
  tool: {
    decorator: "Tool",
    uri: () => "",
    parameters: [{ name: "text", type: "string" }],
    docs: "Says when a model should call it.\n@param text What it is given",
    body: "return text;",
  },
  prompt: {
    decorator: "Prompt",
    uri: () => "",
    parameters: [{ name: "topic", type: "string" }],
    docs: "Says what it asks a model for.\n@param topic What it is about",
    body: "return `Explain ${topic} in three sentences.`;",
  },
  resource: {
    decorator: "Resource",
    uri: (name) => `${name.toLowerCase().replaceAll(/[^a-z0-9+.-]+/g, "-")}://{id}`,
    parameters: [{ name: "id", type: "string" }],
    docs: "Says what it holds.\n@param id Which one",
    body: "return `The text of ${id}`;",
  },
};

function classIn(
  file: SourceFile,
  { name, className }: NewDeclaration,
): { node: ClassDeclaration } | Obstacle {
  const exported = file.getClasses().filter((each) => each.isExported() && !each.isAbstract());
  const classes = exported.map((each) => each.getName() ?? "default");
  if (className !== undefined) {
    const node = exported.find((each) => each.getName() === className);
    if (node !== undefined) return { node };
    if (exported.length > 0) return { obstacle: "no-such-class", classes };
  }
  const [only] = exported;
  if (exported.length > 1) return { obstacle: "several-classes", classes };
  if (only !== undefined) return { node: only };
  const names = createTypeNames(
    file.getDescendantsOfKind(SyntaxKind.Identifier).map((each) => each.getText()),
  );
  return { node: addClass(file, className ?? names.fresh(name)) };
}

/** As text: `addClass` of ts-morph loses what is written after the last statement, in its line. */
function addClass(file: SourceFile, name: string): ClassDeclaration {
  const end = /\r?\n$/.exec(file.getFullText())?.[0] ?? "\n";
  const gap = file.getFullText().trim() === "" ? "" : file.getFullText().endsWith(end) ? end : end + end;
  file.insertText(file.getEnd(), `${gap}export class ${name} {${end}}${end}`);
  return file.getClassOrThrow(name);
}

function importFrom(file: SourceFile, name: string): void {
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
