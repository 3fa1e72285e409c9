import type { MethodDeclaration, Signature, Symbol } from "ts-morph";
import { Node, Scope, ts } from "../typescript/typescript.js";
import type { DeclarationName, DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass } from "../model.js";
import { evaluateConstant, evaluatePropertyName } from "../typescript/constant.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { findDecorators, readOptions, type DecoratorName, type FoundDecorator } from "./decorators.js";
import { getInstanceType, type DecoratedMember } from "./decorated-members.js";

/** The context of reading declarations. */
export interface Reader {
  checker: ts.TypeChecker;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
  /** Records that a decorator has been read. */
  markRead(decorator: FoundDecorator): void;
}

/** A decorated method or class, as a handler. */
interface Handler {
  method: MethodDeclaration;
  methodName: string;
  isStatic: boolean;
  isClassDecorated: boolean;
  /** The name to serve, unless the options specify one. */
  defaultName: string;
  /** Nodes whose comments may be the description, nearest first. */
  documented: Node[];
}

/** Names of the handler methods of decorated classes. */
const HANDLER_METHODS: Record<DecoratorName, string> = { Tool: "call", Prompt: "get", Resource: "read" };

const KINDS: Record<DecoratorName, "tool" | "prompt" | "resource"> = {
  Tool: "tool",
  Prompt: "prompt",
  Resource: "resource",
};

/** Reads the decorators of a class, such as `@Tool() class Add { call(…) }`. */
export function readDecoratedClass(owner: OwnerClass, reader: Reader): Declaration[] {
  return findDecorators(owner.node, reader.runtime).flatMap((decorator) => {
    reader.markRead(decorator);
    if (owner.prefixes.some((prefix) => prefix.decorator === decorator.node)) return [];
    const methodName = HANDLER_METHODS[decorator.name];
    const method = findProperty(owner, methodName, false)?.getValueDeclaration();
    if (!Node.isMethodDeclaration(method)) {
      reader.collector.createReport()("class-decorator-without-method", decorator.node, {
        className: owner.name,
        decorator: decorator.name,
        method: methodName,
      });
      return [];
    }
    if (method.getScope() !== Scope.Public) {
      reader.collector.createReport()("handler-not-public", method.getNameNode(), { method: methodName });
      return [];
    }
    const documented = [owner.node, method];
    const handler = {
      method,
      methodName,
      isStatic: false,
      isClassDecorated: true,
      defaultName: owner.name,
      documented,
    };
    return declare(owner, decorator, handler, reader);
  });
}

/** Reads the decorators of a member, such as `@Tool() current(…)`, which a served class declares or inherits. */
export function readMember(
  owner: OwnerClass,
  { member, decorators }: DecoratedMember,
  reader: Reader,
): Declaration[] {
  return decorators.flatMap((decorator) => {
    reader.markRead(decorator);
    const report = reader.collector.createReport();
    if (!Node.isMethodDeclaration(member)) {
      const nameNode = Node.hasName(member) ? member.getNameNode() : member;
      report("handler-not-a-method", nameNode, { member: nameNode.getText(), decorator: decorator.name });
      return [];
    }
    const nameNode = member.getNameNode();
    const written = nameNode.getText();
    if (Node.isPrivateIdentifier(nameNode) || member.getScope() !== Scope.Public) {
      report("handler-not-public", nameNode, { method: written });
      return [];
    }
    const methodName = evaluatePropertyName(nameNode.compilerNode, reader.checker);
    if (methodName === undefined) {
      report("handler-name-computed", nameNode, { method: written, isSymbol: hasSymbolName(nameNode) });
      return [];
    }
    const isStatic = member.isStatic();
    const handler = {
      method: member,
      methodName,
      isStatic,
      isClassDecorated: false,
      defaultName: methodName,
      documented: [member],
    };
    return declare(owner, decorator, handler, reader);
  });
}

/** Returns whether a name is a symbol, such as `[Symbol.iterator]`. */
function hasSymbolName(nameNode: Node): boolean {
  if (!Node.isComputedPropertyName(nameNode)) return false;
  return (nameNode.getExpression().getType().getFlags() & ts.TypeFlags.ESSymbolLike) !== 0;
}

function declare(
  owner: OwnerClass,
  decorator: FoundDecorator,
  { method, methodName, isStatic, isClassDecorated, defaultName, documented }: Handler,
  { checker, collector }: Reader,
): Declaration[] {
  const kind = KINDS[decorator.name];
  if (!decorator.call) {
    const report = collector.createReport({ kind, name: defaultName });
    report("decorator-not-called", decorator.node, { decorator: decorator.name });
    return [];
  }
  const [first, second] = decorator.call.getArguments();
  const { options, guards, callbacks, rateLimit, unreadable } = readOptions(
    kind === "resource" ? second : first,
    checker,
  );
  const uri =
    kind === "resource" && Node.isExpression(first)
      ? evaluateConstant(first.compilerNode, checker)
      : undefined;
  const isTemplate = typeof uri?.value === "string" && uri.value.includes("{");
  const name: DeclarationName = {
    kind: isTemplate ? "resource template" : kind,
    name: getPrefix(owner, kind) + (options.name ?? defaultName),
  };
  const report = collector.createReport(name);
  if (options.prefix !== undefined) report("prefix-misplaced", decorator.node, { reason: "method" });
  for (const { option, node } of unreadable) report("decorator-option-not-constant", node, { option });

  const signature = findSignature(owner, methodName, isStatic, method);
  if (!signature) {
    report("handler-overloaded", method.getNameNode(), { method: methodName });
    return [];
  }
  const base = {
    name,
    owner,
    decorator: decorator.node,
    call: decorator.call,
    options,
    guards,
    callbacks,
    rateLimit,
    methodName,
    isStatic,
    isClassDecorated,
    method: method.compilerNode,
    signature: signature.compilerSignature,
    documented: documented.map((node) => node.compilerNode),
  };
  if (kind !== "resource") return [{ kind, ...base }];
  if (typeof uri?.value !== "string" || !first) {
    report("resource-uri-not-constant", first ?? decorator.node, { resource: name.name });
    return [];
  }
  return [{ kind, ...base, uri: uri.value, uriNode: first }];
}

/**
 * Finds the signature of a method in its class; undefined if it is overloaded. A class created by a mixin, as in
 * `extends Timed(Store)`, also has the signatures that the mixin requires of its base, which are ignored.
 */
function findSignature(
  owner: OwnerClass,
  name: string,
  isStatic: boolean,
  method: MethodDeclaration,
): Signature | undefined {
  // TypeScript does not know the property of a name such as `list${1}`.
  const type = findProperty(owner, name, isStatic)?.getTypeAtLocation(owner.node) ?? method.getType();
  const all = type.getCallSignatures();
  const declared = all.length > 1 ? all.filter((each) => each.getDeclaration() === method) : all;
  return declared.length === 1 ? declared[0] : undefined;
}

function getPrefix({ prefixes }: OwnerClass, kind: string): string {
  return prefixes.find((each) => each.kind === kind)?.text ?? "";
}

/** Finds a property in the type of a class or its instances, where type arguments of generic bases are filled in. */
function findProperty({ node }: OwnerClass, name: string, isStatic: boolean): Symbol | undefined {
  const type = isStatic ? node.getSymbol()?.getTypeAtLocation(node) : getInstanceType(node);
  return type?.getProperty(name);
}
