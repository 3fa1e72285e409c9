import { dirname, relative } from "node:path";
import { checksNull, type Project } from "../project/project.js";
import { reachedFiles } from "../project/reached-files.js";
import { readCompilerOptions } from "../project/tsconfig.js";
import { ts } from "../project/typescript.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import { serializedType, type TypeSerialization } from "./serialized-type.js";

/** A class or a member of one, with a decorator. */
type Decorated = ts.ClassDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration | ts.PropertyDeclaration;

/**
 * Gives decorated classes and members what TypeScript's `emitDecoratorMetadata` gives them, where the `tsconfig.json` of
 * their file asks for it: `design:type`, `design:paramtypes` and `design:returntype`, by which dependency injection and
 * mappers know the types. No bundler knows types, so it is written into the sources, as decorators that run before all
 * others. Lines stay.
 *
 * @see https://www.typescriptlang.org/tsconfig/#emitDecoratorMetadata
 */
export function addDecoratorMetadata(project: Project): SourceEdits {
  const { root, checker } = project;
  const optionsOf = createOptionsReader(project);
  const edits = new Map<string, SourceEdit[]>();
  for (const file of new Set([...project.ownFiles, ...reachedFiles(project)])) {
    if (file.isDeclarationFile || !file.text.includes("@")) continue;
    const options = optionsOf(file.fileName);
    if (!options.experimentalDecorators || !options.emitDecoratorMetadata) continue;
    const inFile = editsOf(file, { checker, checksNull: checksNull(options) });
    if (inFile.length > 0) edits.set(relative(root, file.fileName).replaceAll("\\", "/"), inFile);
  }
  return edits;
}

/** Which options a file is compiled with: those of the project, or of the package beside it that the file belongs to. */
function createOptionsReader({ root, options }: Project): (path: string) => ts.CompilerOptions {
  const found = new Map<string, ts.CompilerOptions>();
  return (path) => {
    if (path.startsWith(`${root}/`)) return options;
    const folder = dirname(path);
    const around = found.get(folder) ?? optionsAround(folder);
    found.set(folder, around);
    return around;
  };
}

function optionsAround(folder: string): ts.CompilerOptions {
  const path = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
  return path === undefined ? {} : readCompilerOptions(path);
}

function editsOf(file: ts.SourceFile, context: TypeSerialization): SourceEdit[] {
  const edits: SourceEdit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    const edit = isDecorable(node) ? editOf(node, context) : undefined;
    if (edit) edits.push(edit);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits.sort((a, b) => a.start - b.start);
}

function isDecorable(node: ts.Node): node is Decorated {
  if (ts.isClassDeclaration(node) || ts.isPropertyDeclaration(node)) return true;
  return (ts.isMethodDeclaration(node) || ts.isAccessor(node)) && node.body !== undefined;
}

function editOf(node: Decorated, context: TypeSerialization): SourceEdit | undefined {
  const lastDecorated = parametersOf(node)?.findLast((each) => ts.getDecorators(each)?.length);
  const last = (lastDecorated && ts.getDecorators(lastDecorated)?.at(-1)) ?? ts.getDecorators(node)?.at(-1);
  const metadata = last ? metadataOf(node, context) : [];
  if (!last || metadata.length === 0) return undefined;
  const statements = metadata.map(
    ([key, value]) => `Reflect.defineMetadata?.(${JSON.stringify(key)}, ${value}, tenonTarget, tenonKey);`,
  );
  // Decorators run from the last to the first, and those of parameters before those of what these belong to.
  const text = ` @((tenonTarget, tenonKey) => { ${statements.join(" ")} })`;
  return { start: last.end, end: last.end, text };
}

/** What is known of a class or a member, in the order of TypeScript's own output. */
function metadataOf(node: Decorated, context: TypeSerialization): [key: string, value: string][] {
  const parameters = ts.isGetAccessor(node) ? (setterOf(node)?.parameters ?? []) : parametersOf(node);
  const paramTypes = parameters && `[${parameterTypes(parameters, context).join(", ")}]`;
  const known: [string, string | undefined][] = [
    ["design:type", ts.isClassDeclaration(node) ? undefined : typeOf(node, context)],
    ["design:paramtypes", paramTypes],
    ["design:returntype", ts.isMethodDeclaration(node) ? returnType(node, context) : undefined],
  ];
  return known.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
}

/** Those of a class are its constructor's. A property has none. */
function parametersOf(node: Decorated): readonly ts.ParameterDeclaration[] | undefined {
  if (ts.isPropertyDeclaration(node)) return undefined;
  if (ts.isClassDeclaration(node))
    return node.members.filter(ts.isConstructorDeclaration).find(({ body }) => body)?.parameters;
  return node.parameters;
}

function parameterTypes(
  parameters: readonly ts.ParameterDeclaration[],
  context: TypeSerialization,
): string[] {
  return parameters
    .filter(({ name }) => !(ts.isIdentifier(name) && name.text === "this"))
    .map(({ type, dotDotDotToken }) => serializedType(dotDotDotToken ? elementType(type) : type, context));
}

function elementType(type: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (!type) return undefined;
  if (ts.isArrayTypeNode(type)) return type.elementType;
  if (!ts.isTypeReferenceNode(type) || type.typeArguments?.length !== 1) return undefined;
  return type.typeArguments[0];
}

function typeOf(node: Exclude<Decorated, ts.ClassDeclaration>, context: TypeSerialization): string {
  if (ts.isMethodDeclaration(node)) return "Function";
  if (ts.isPropertyDeclaration(node)) return serializedType(node.type, context);
  const setter = ts.isSetAccessor(node) ? node : setterOf(node);
  const getter = ts.isGetAccessor(node) ? node : accessorsLike(node).find((each) => ts.isGetAccessor(each));
  return serializedType(setter?.parameters[0]?.type ?? getter?.type, context);
}

function returnType(node: ts.MethodDeclaration, context: TypeSerialization): string {
  if (node.type) return serializedType(node.type, context);
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return isAsync ? "Promise" : "void 0";
}

function setterOf(node: ts.GetAccessorDeclaration): ts.SetAccessorDeclaration | undefined {
  return accessorsLike(node).find((each) => ts.isSetAccessor(each));
}

/** The accessors of the same property. */
function accessorsLike(node: ts.AccessorDeclaration): ts.AccessorDeclaration[] {
  const isStatic = (each: ts.AccessorDeclaration): boolean =>
    each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
  const { members } = node.parent as ts.ClassLikeDeclaration;
  return members.filter(
    (each): each is ts.AccessorDeclaration =>
      ts.isAccessor(each) && each.name.getText() === node.name.getText() && isStatic(each) === isStatic(node),
  );
}
