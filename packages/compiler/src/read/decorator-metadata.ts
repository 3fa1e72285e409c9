import { dirname } from "node:path";
import { hasStrictNullChecks, type Project } from "../project/project.js";
import { readCompilerOptions } from "../project/tsconfig.js";
import { ts } from "../typescript/typescript.js";
import type { SourceEdit } from "../source-edits.js";
import type { FileEditor } from "./collect-edits.js";
import { serializeType, type TypeSerialization } from "./serialized-type.js";

/** A class or a member of one, with a decorator. */
type Decorated = ts.ClassDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration | ts.PropertyDeclaration;

/**
 * Adds the metadata of TypeScript's `emitDecoratorMetadata` to decorated classes and members of files whose
 * `tsconfig.json` sets it: `design:type`, `design:paramtypes`, and `design:returntype`, which dependency injection and
 * mappers read. Bundlers do not know types, so the metadata is written into the sources as decorators that run before all
 * others. Line numbers do not change.
 *
 * @see https://www.typescriptlang.org/tsconfig/#emitDecoratorMetadata
 */
export function addDecoratorMetadata(project: Project): FileEditor {
  const { checker } = project;
  const getOptions = createOptionsReader(project);
  return (file) => {
    if (!file.text.includes("@")) return [];
    const options = getOptions(file.fileName);
    if (!options.experimentalDecorators || !options.emitDecoratorMetadata) return [];
    return createEdits(file, { checker, hasStrictNullChecks: hasStrictNullChecks(options) });
  };
}

/** Creates a function that returns the options of a file: those of the project, or of the file's workspace package. */
function createOptionsReader({ root, options }: Project): (path: string) => ts.CompilerOptions {
  const found = new Map<string, ts.CompilerOptions>();
  return (path) => {
    if (path.startsWith(`${root}/`)) return options;
    const folder = dirname(path);
    const nearest = found.get(folder) ?? readNearestOptions(folder);
    found.set(folder, nearest);
    return nearest;
  };
}

function readNearestOptions(folder: string): ts.CompilerOptions {
  const path = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
  return path === undefined ? {} : readCompilerOptions(path);
}

function createEdits(file: ts.SourceFile, context: TypeSerialization): SourceEdit[] {
  const edits: SourceEdit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    const edit = isDecorable(node) ? createEdit(node, context) : undefined;
    if (edit) edits.push(edit);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits;
}

function isDecorable(node: ts.Node): node is Decorated {
  if (ts.isClassDeclaration(node) || ts.isPropertyDeclaration(node)) return true;
  return (ts.isMethodDeclaration(node) || ts.isAccessor(node)) && node.body !== undefined;
}

function createEdit(node: Decorated, context: TypeSerialization): SourceEdit | undefined {
  const lastDecorated = getParameters(node)?.findLast((each) => ts.getDecorators(each)?.length);
  const last = (lastDecorated && ts.getDecorators(lastDecorated)?.at(-1)) ?? ts.getDecorators(node)?.at(-1);
  const metadata = last ? createMetadata(node, context) : [];
  if (!last || metadata.length === 0) return undefined;
  const statements = metadata.map(
    ([key, value]) => `Reflect.defineMetadata?.(${JSON.stringify(key)}, ${value}, tenonTarget, tenonKey);`,
  );
  // Decorators run from last to first, and those of parameters before those of their method or class.
  const text = ` @((tenonTarget, tenonKey) => { ${statements.join(" ")} })`;
  return { start: last.end, end: last.end, text };
}

/** Creates the metadata of a class or member, in the order of TypeScript's own output. */
function createMetadata(node: Decorated, context: TypeSerialization): [key: string, value: string][] {
  const parameters = ts.isGetAccessor(node) ? (findSetter(node)?.parameters ?? []) : getParameters(node);
  const paramTypes = parameters && `[${serializeParameters(parameters, context).join(", ")}]`;
  const known: [string, string | undefined][] = [
    ["design:type", ts.isClassDeclaration(node) ? undefined : serializeOwnType(node, context)],
    ["design:paramtypes", paramTypes],
    ["design:returntype", ts.isMethodDeclaration(node) ? serializeReturnType(node, context) : undefined],
  ];
  return known.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
}

/** Returns the parameters of a method, an accessor, or the constructor of a class. A property has none. */
function getParameters(node: Decorated): readonly ts.ParameterDeclaration[] | undefined {
  if (ts.isPropertyDeclaration(node)) return undefined;
  if (ts.isClassDeclaration(node))
    return node.members.filter(ts.isConstructorDeclaration).find(({ body }) => body)?.parameters;
  return node.parameters;
}

function serializeParameters(
  parameters: readonly ts.ParameterDeclaration[],
  context: TypeSerialization,
): string[] {
  return parameters
    .filter(({ name }) => !(ts.isIdentifier(name) && name.text === "this"))
    .map(({ type, dotDotDotToken }) => serializeType(dotDotDotToken ? getElementType(type) : type, context));
}

function getElementType(type: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (!type) return undefined;
  if (ts.isArrayTypeNode(type)) return type.elementType;
  if (!ts.isTypeReferenceNode(type) || type.typeArguments?.length !== 1) return undefined;
  return type.typeArguments[0];
}

function serializeOwnType(node: Exclude<Decorated, ts.ClassDeclaration>, context: TypeSerialization): string {
  if (ts.isMethodDeclaration(node)) return "Function";
  if (ts.isPropertyDeclaration(node)) return serializeType(node.type, context);
  const setter = ts.isSetAccessor(node) ? node : findSetter(node);
  const getter = ts.isGetAccessor(node) ? node : listAccessors(node).find((each) => ts.isGetAccessor(each));
  return serializeType(setter?.parameters[0]?.type ?? getter?.type, context);
}

function serializeReturnType(node: ts.MethodDeclaration, context: TypeSerialization): string {
  if (node.type) return serializeType(node.type, context);
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return isAsync ? "Promise" : "void 0";
}

function findSetter(node: ts.GetAccessorDeclaration): ts.SetAccessorDeclaration | undefined {
  return listAccessors(node).find((each) => ts.isSetAccessor(each));
}

/** Returns the accessors of the same property. */
function listAccessors(node: ts.AccessorDeclaration): ts.AccessorDeclaration[] {
  const isStatic = (each: ts.AccessorDeclaration): boolean =>
    each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
  const { members } = node.parent as ts.ClassLikeDeclaration;
  return members.filter(
    (each): each is ts.AccessorDeclaration =>
      ts.isAccessor(each) && each.name.getText() === node.name.getText() && isStatic(each) === isStatic(node),
  );
}
