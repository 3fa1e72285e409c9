import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import type { CallExpression, SourceFile, Type } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { evaluateConstant } from "../typescript/constant.js";
import { isContextCall } from "../typescript/context-calls.js";
import { getModulePath, type Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import type { DerivationCache } from "../schema/derivation/derivation-cache.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import { deriveForm } from "./derive-form.js";
import { asksForSecret } from "./secret-field.js";

/** The forms that the calls in a project request. */
export interface Forms {
  /** The forms by ID: the file and the number of the call in it, such as `src/weather.ts#1`. */
  forms: Record<string, Form>;
  /** The forms by the calls that use them. */
  byCall: ReadonlyMap<CallExpression, Form>;
  /** The edits that pass each call the ID of its form. */
  edits: SourceEdits;
}

interface Context {
  project: Project;
  cache: DerivationCache;
  collector: DiagnosticCollector;
}

/** Finds the calls to `Context.elicit` and `Context.ask`, and derives the form of each from its type argument. */
export function readForms(context: Context): Forms {
  const { sourceFiles, root } = context.project;
  const forms: Record<string, Form> = {};
  const byCall = new Map<CallExpression, Form>();
  const edits = new Map<string, SourceEdit[]>();
  for (const file of sourceFiles) {
    // Searching every expression of a program is slow, and few files elicit.
    if (!/\b(?:elicit|ask)\b/.test(file.getFullText())) continue;
    const module = getModulePath(file, root);
    const inFile: SourceEdit[] = [];
    for (const call of findElicitCalls(file, context.cache.runtime)) {
      const form = readForm(call, context);
      if (!form) continue;
      const id = `${module}#${inFile.length + 1}`;
      forms[id] = form;
      byCall.set(call, form);
      inFile.push(createIdEdit(call, id));
    }
    if (inFile.length > 0) edits.set(module, inFile);
  }
  return { forms, byCall, edits };
}

function findElicitCalls(file: SourceFile, runtime: RuntimeSymbols): CallExpression[] {
  const calls = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => isFormCall(call, runtime));
  // A nested call begins later but ends earlier, and the edit is at its end.
  return calls.sort((a, b) => a.getEnd() - b.getEnd());
}

/** Returns whether a call asks the user to fill in a form. */
export function isFormCall(call: CallExpression, runtime: RuntimeSymbols): boolean {
  return isContextCall(call, "elicit", runtime) || isContextCall(call, "ask", runtime);
}

/** Returns the form of a call. Undefined for calls with their own schema, and for types that cannot be forms. */
function readForm(call: CallExpression, { project, cache, collector }: Context): Form | undefined {
  const report = collector.createReport();
  const method = isContextCall(call, "ask", cache.runtime) ? "ask" : "elicit";
  const spread = call.getArguments().find((each) => Node.isSpreadElement(each));
  if (spread) {
    report("elicitation-arguments-spread", spread, { method });
    return undefined;
  }
  const [message, options, id] = call.getArguments();
  if (!message || id) return undefined;
  if (options && hasCustomSchema(options.getType())) {
    for (const field of findSecrets(readCustomSchema(options, project))) {
      report("elicitation-asks-for-secret", options, { field });
    }
    return undefined;
  }
  const [written] = call.getTypeArguments();
  const type = written ? written.getType() : getInferredType(call, cache.runtime);
  const callee = call.getExpression();
  const at = written ?? (Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee);
  const { checker } = project;
  return type && deriveForm(type.compilerType, at.compilerNode, { checker, cache, report, method });
}

function hasCustomSchema(options: Type): boolean {
  return options.getProperty("schema")?.isOptional() === false;
}

/** Returns the schema in a call's options. It is empty if only the running program knows it. */
export function readCustomSchema(options: Node, { checker }: Project): JsonSchema {
  const member = Node.isObjectLiteralExpression(options) ? options.getProperty("schema") : undefined;
  // `{ schema }`
  const named = Node.isShorthandPropertyAssignment(member)
    ? member.getValueSymbol()?.getValueDeclaration()
    : member;
  const schema = Node.isInitializerExpressionGetable(named) ? named.getInitializer() : undefined;
  const constant = schema && evaluateConstant(schema.compilerNode, checker);
  return (constant?.value ?? {}) as JsonSchema;
}

function findSecrets({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => (asksForSecret(name, field) ? name : []));
}

/** Returns the inferred `T` of a call without a type argument, from the `T` or `ElicitResult<T>` that is awaited. */
function getInferredType(call: CallExpression, runtime: RuntimeSymbols): Type | undefined {
  const awaited = call.getType().getAwaitedType();
  return isContextCall(call, "ask", runtime) ? awaited : awaited?.getAliasTypeArguments()[0];
}

function createIdEdit(call: CallExpression, id: string): SourceEdit {
  const given = call.getArguments();
  const skipped = given.length === 1 ? ", undefined" : "";
  const end = given.at(-1)?.getEnd() ?? call.getEnd();
  return { start: end, end, text: `${skipped}, ${JSON.stringify(id)}` };
}
