import type { Form } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Project } from "../project/project.js";
import type { DerivationCache } from "../schema/derivation-cache.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import { deriveForm } from "./derive-form.js";

export interface Forms {
  /** By id: the file and the number of the call in it, such as `src/weather.ts#1`. */
  forms: Record<string, Form>;
  /** Tell each call the id of its form. */
  edits: SourceEdits;
}

export interface FormContext {
  project: Project;
  cache: DerivationCache;
  collector: DiagnosticCollector;
}

/** Finds the calls of `Context.elicit` and derives the form of each from its type argument. */
export function readForms(context: FormContext): Forms {
  const { project } = context;
  const forms: Record<string, Form> = {};
  const edits = new Map<string, SourceEdit[]>();
  for (const file of project.sourceFiles) {
    // Looking at every expression of a program is slow, and hardly any file elicits.
    if (!file.text.includes("elicit")) continue;
    const module = file.fileName.slice(project.root.length + 1);
    const inFile: SourceEdit[] = [];
    for (const call of elicitCalls(file, context)) {
      const form = formOf(call, context);
      if (!form) continue;
      const id = `${module}#${inFile.length + 1}`;
      forms[id] = form;
      inFile.push(withId(call, id));
    }
    if (inFile.length > 0) edits.set(module, inFile);
  }
  return { forms, edits };
}

function elicitCalls(file: ts.SourceFile, context: FormContext): ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isElicit(node, context)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  // A call inside the arguments of another begins later but ends earlier, and is edited where it ends.
  return found.sort((a, b) => a.arguments.end - b.arguments.end);
}

/** By the declaration that the call resolves to, so that no name or alias deceives. */
function isElicit(call: ts.CallExpression, { project, cache }: FormContext): boolean {
  const declaration = project.checker.getResolvedSignature(call)?.declaration;
  if (!declaration || !ts.isMethodSignature(declaration) || !ts.isInterfaceDeclaration(declaration.parent)) {
    return false;
  }
  const owner = project.checker.getSymbolAtLocation(declaration.parent.name);
  return (
    ts.isIdentifier(declaration.name) &&
    declaration.name.text === "elicit" &&
    cache.runtime.nameOf(owner) === "Context"
  );
}

/** Undefined for calls that bring a form of their own, and for those whose type is no form. */
function formOf(call: ts.CallExpression, { project, cache, collector }: FormContext): Form | undefined {
  const report = collector.reporter();
  const { checker } = project;
  if (call.arguments.some((argument) => ts.isSpreadElement(argument))) {
    report(
      "form-arguments-spread",
      call.arguments.find((each) => ts.isSpreadElement(each)),
      {},
    );
    return undefined;
  }
  const [message, options, id] = call.arguments;
  if (!message || id || (options && hasOwnSchema(options, checker))) return undefined;
  const [node] = call.typeArguments ?? [];
  const type = node ? checker.getTypeFromTypeNode(node) : inferredType(call, checker);
  const at =
    node ?? (ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression);
  return type && deriveForm(type, at, { checker, cache, report });
}

function hasOwnSchema(options: ts.Expression, checker: ts.TypeChecker): boolean {
  const schema = checker.getTypeAtLocation(options).getProperty("schema");
  return schema !== undefined && !(schema.flags & ts.SymbolFlags.Optional);
}

/** What TypeScript made of a call without a type argument: `T` of the `ElicitAnswer<T>` that is awaited. */
function inferredType(call: ts.CallExpression, checker: ts.TypeChecker): ts.Type | undefined {
  const answer = checker.getAwaitedType(checker.getTypeAtLocation(call));
  return answer?.aliasTypeArguments?.[0];
}

function withId(call: ts.CallExpression, id: string): SourceEdit {
  const last = call.arguments.at(-1);
  const skipped = call.arguments.length === 1 ? ", undefined" : "";
  const end = last?.getEnd() ?? call.arguments.end;
  return { start: end, end, text: `${skipped}, ${JSON.stringify(id)}` };
}
