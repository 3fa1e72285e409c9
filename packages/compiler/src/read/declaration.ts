import { Node, Scope, type MethodDeclaration, type Signature, type Symbol } from "ts-morph";
import type { DeclarationName, DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass } from "../model.js";
import { constantValue, propertyKey } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { findDecorators, readOptions, type DecoratorName, type FoundDecorator } from "./decorators.js";
import { instanceType, type DecoratedMember } from "./decorated-members.js";

export interface Reader {
  checker: ts.TypeChecker;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
  /** Takes note of a decorator that was looked at. */
  markRead(decorator: FoundDecorator): void;
}

/** What a decorator makes a method into. */
interface Handler {
  method: MethodDeclaration;
  methodName: string;
  isStatic: boolean;
  isClassForm: boolean;
  /** The name that is served, unless the options say another. */
  defaultName: string;
  /** Where the description is looked for, nearest first. */
  documented: Node[];
}

/** In the class form, the method named after the protocol's verb carries the handler. */
const CLASS_FORM_METHOD: Record<DecoratorName, string> = { Tool: "call", Prompt: "get", Resource: "read" };

const KIND: Record<DecoratorName, "tool" | "prompt" | "resource"> = {
  Tool: "tool",
  Prompt: "prompt",
  Resource: "resource",
};

/** `@Tool() class Add { call(…) }`: at most one declaration per decorator on the class. */
export function readClassForm(owner: OwnerClass, reader: Reader): Declaration[] {
  return findDecorators(owner.node, reader.runtime).flatMap((decorator) => {
    reader.markRead(decorator);
    if (owner.prefixes.some((prefix) => prefix.decorator === decorator.node)) return [];
    const methodName = CLASS_FORM_METHOD[decorator.name];
    const method = propertyOf(owner, methodName, false)?.getValueDeclaration();
    if (!Node.isMethodDeclaration(method)) {
      reader.collector.reporter()("class-form-without-method", decorator.node, {
        className: owner.name,
        decorator: decorator.name,
        method: methodName,
      });
      return [];
    }
    const documented = [owner.node, method];
    const handler = {
      method,
      methodName,
      isStatic: false,
      isClassForm: true,
      defaultName: owner.name,
      documented,
    };
    return declare(owner, decorator, handler, reader);
  });
}

/** `@Tool() current(…)`: a decorated member of a served class, its own or inherited. */
export function readMember(
  owner: OwnerClass,
  { member, decorators }: DecoratedMember,
  reader: Reader,
): Declaration[] {
  return decorators.flatMap((decorator) => {
    reader.markRead(decorator);
    const report = reader.collector.reporter();
    if (!Node.isMethodDeclaration(member)) {
      const nameNode = Node.hasName(member) ? member.getNameNode() : member;
      report("handler-not-a-method", nameNode, { member: nameNode.getText(), decorator: decorator.name });
      return [];
    }
    const nameNode = member.getNameNode();
    const shown = nameNode.getText();
    if (Node.isPrivateIdentifier(nameNode) || member.getScope() !== Scope.Public) {
      report("handler-not-public", nameNode, { method: shown });
      return [];
    }
    const methodName = propertyKey(nameNode.compilerNode, reader.checker);
    if (methodName === undefined) {
      report("handler-name-computed", nameNode, { method: shown });
      return [];
    }
    const isStatic = member.isStatic();
    const handler = {
      method: member,
      methodName,
      isStatic,
      isClassForm: false,
      defaultName: methodName,
      documented: [member],
    };
    return declare(owner, decorator, handler, reader);
  });
}

function declare(
  owner: OwnerClass,
  decorator: FoundDecorator,
  { method, methodName, isStatic, isClassForm, defaultName, documented }: Handler,
  { checker, collector }: Reader,
): Declaration[] {
  const kind = KIND[decorator.name];
  if (!decorator.call) {
    const report = collector.reporter({ kind, name: defaultName });
    report("decorator-not-called", decorator.node, { decorator: decorator.name });
    return [];
  }
  const [first, second] = decorator.call.getArguments();
  const { options, guards, rateLimit, unreadable } = readOptions(
    kind === "resource" ? second : first,
    checker,
  );
  const uri =
    kind === "resource" && Node.isExpression(first) ? constantValue(first.compilerNode, checker) : undefined;
  const isTemplate = typeof uri?.value === "string" && uri.value.includes("{");
  const name: DeclarationName = {
    kind: isTemplate ? "resource template" : kind,
    name: prefixOf(owner, kind) + (options.name ?? defaultName),
  };
  const report = collector.reporter(name);
  if (options.prefix !== undefined) report("prefix-misplaced", decorator.node, { reason: "method" });
  for (const { option, node } of unreadable) report("decorator-option-not-constant", node, { option });

  const signature = signatureOf(owner, methodName, isStatic, method);
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
    rateLimit,
    methodName,
    isStatic,
    isClassForm,
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
 * The signature of a method, as the class has it; undefined where it has several. A class that a function made of another,
 * as in `extends Timed(Store)`, also has those that the function asks of its base: they are no more than asked for.
 */
function signatureOf(
  owner: OwnerClass,
  name: string,
  isStatic: boolean,
  method: MethodDeclaration,
): Signature | undefined {
  const all = propertyOf(owner, name, isStatic)?.getTypeAtLocation(owner.node).getCallSignatures() ?? [];
  const declared = all.length > 1 ? all.filter((each) => each.getDeclaration() === method) : all;
  return declared.length === 1 ? declared[0] : undefined;
}

function prefixOf({ prefixes }: OwnerClass, kind: string): string {
  return prefixes.find((each) => each.kind === kind)?.text ?? "";
}

/** Asked of the class's own type, its own instance's or itself, so that type arguments of generic bases are filled in. */
function propertyOf({ node }: OwnerClass, name: string, isStatic: boolean): Symbol | undefined {
  const type = isStatic ? node.getSymbol()?.getTypeAtLocation(node) : instanceType(node);
  return type?.getProperty(name);
}
