import { ts } from "../project/typescript.js";
import type { DeclarationName, DiagnosticCollector, Report } from "../diagnostics/diagnostic.js";
import type { Declaration, OwnerClass } from "../model.js";
import { constantValue, propertyKey } from "../project/constant.js";
import { findDecorators, readOptions, type DecoratorName, type FoundDecorator } from "./decorators.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

interface Reader {
  checker: ts.TypeChecker;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
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
  return findDecorators(owner.node, reader.checker, reader.runtime).flatMap((decorator) => {
    const verb = CLASS_FORM_METHOD[decorator.name];
    const className = owner.node.name?.text ?? owner.exportName;
    const symbol = propertyOf(owner, verb, false, reader.checker);
    const method = symbol?.valueDeclaration;
    if (!method || !ts.isMethodDeclaration(method)) {
      reader.collector.reporter()("class-form-without-method", decorator.node, {
        className,
        decorator: decorator.name,
        method: verb,
      });
      return [];
    }
    return declare(
      owner,
      decorator,
      { method, methodName: verb, isStatic: false },
      className,
      [owner.node, method],
      reader,
    );
  });
}

/** `@Tool() current(…)`: a decorated member of a served class. */
export function readMethod(owner: OwnerClass, member: ts.ClassElement, reader: Reader): Declaration[] {
  return findDecorators(member, reader.checker, reader.runtime).flatMap((decorator) => {
    const report = reader.collector.reporter();
    const shown = member.name?.getText() ?? "member";
    if (!ts.isMethodDeclaration(member)) {
      report("handler-not-a-method", member.name ?? member, { member: shown, decorator: decorator.name });
      return [];
    }
    if (ts.isPrivateIdentifier(member.name) || isHidden(member)) {
      report("handler-not-public", member.name, { method: shown });
      return [];
    }
    const methodName = propertyKey(member.name, reader.checker);
    if (methodName === undefined) {
      report("handler-name-computed", member.name, { method: shown });
      return [];
    }
    const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
    return declare(owner, decorator, { method: member, methodName, isStatic }, methodName, [member], reader);
  });
}

function declare(
  owner: OwnerClass,
  decorator: FoundDecorator,
  handler: { method: ts.MethodDeclaration; methodName: string; isStatic: boolean },
  defaultName: string,
  documented: ts.Node[],
  reader: Reader,
): Declaration[] {
  const { checker, collector } = reader;
  const kind = KIND[decorator.name];
  const { call } = decorator;
  if (!call) {
    collector.reporter({ kind, name: defaultName })("decorator-not-called", decorator.node, {
      decorator: decorator.name,
    });
    return [];
  }
  const optionsNode = call.arguments[kind === "resource" ? 1 : 0];
  const quiet: Report = () => undefined;
  const named = readOptions(optionsNode, checker, quiet).name;
  const name: DeclarationName = { kind, name: typeof named === "string" ? named : defaultName };
  const uriNode = call.arguments[0];
  const uri = kind === "resource" && uriNode ? constantValue(uriNode, checker)?.value : undefined;
  if (typeof uri === "string" && uri.includes("{")) name.kind = "resource template";

  const report = collector.reporter(name);
  const options = readOptions(optionsNode, checker, report);
  const signature = signatureOf(owner, handler.methodName, handler.isStatic, checker);
  if (!signature) {
    report("handler-overloaded", handler.method.name, { method: handler.methodName });
    return [];
  }
  const base = { name, owner, ...handler, signature, decorator: decorator.node, options, documented };
  if (kind !== "resource") return [{ kind, ...base }];
  if (typeof uri !== "string" || !uriNode) {
    report("resource-uri-not-constant", uriNode ?? decorator.node, { resource: name.name });
    return [];
  }
  return [{ kind, ...base, uri, uriNode }];
}

/** Asked of the class's own instance type, so that type arguments of generic bases are filled in. */
function signatureOf(
  owner: OwnerClass,
  method: string,
  isStatic: boolean,
  checker: ts.TypeChecker,
): ts.Signature | undefined {
  const symbol = propertyOf(owner, method, isStatic, checker);
  const signatures = symbol && checker.getTypeOfSymbol(symbol).getCallSignatures();
  return signatures?.length === 1 ? signatures[0] : undefined;
}

function propertyOf(
  owner: OwnerClass,
  method: string,
  isStatic: boolean,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  const type = isStatic
    ? checker.getTypeOfSymbol(owner.symbol)
    : checker.getDeclaredTypeOfSymbol(owner.symbol);
  return checker.getPropertyOfType(type, method);
}

function isHidden(member: ts.MethodDeclaration): boolean {
  return (
    (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0
  );
}
