import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import { Node, SyntaxKind, type CallExpression, type SourceFile, type Type } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { constantValue } from "../project/constant.js";
import { isContextCall } from "../project/context-calls.js";
import { modulePath, type Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { DerivationCache } from "../schema/derivation-cache.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import { deriveForm } from "./derive-form.js";
import { asksForSecret } from "./secret-field.js";

export interface Forms {
  /** By id: the file and the number of the call in it, such as `src/weather.ts#1`. */
  forms: Record<string, Form>;
  /** The same by the calls that ask. */
  byCall: ReadonlyMap<CallExpression, Form>;
  /** Tell each call the id of its form. */
  edits: SourceEdits;
}

interface Context {
  project: Project;
  cache: DerivationCache;
  collector: DiagnosticCollector;
}

/** Finds the calls of `Context.elicit` and derives the form of each from its type argument. */
export function readForms(context: Context): Forms {
  const { sourceFiles, root } = context.project;
  const forms: Record<string, Form> = {};
  const byCall = new Map<CallExpression, Form>();
  const edits = new Map<string, SourceEdit[]>();
  for (const file of sourceFiles) {
    // Looking at every expression of a program is slow, and hardly any file elicits.
    if (!file.getFullText().includes("elicit")) continue;
    const module = modulePath(file, root);
    const inFile: SourceEdit[] = [];
    for (const call of elicitCalls(file, context.cache.runtime)) {
      const form = formOf(call, context);
      if (!form) continue;
      const id = `${module}#${inFile.length + 1}`;
      forms[id] = form;
      byCall.set(call, form);
      inFile.push(withId(call, id));
    }
    if (inFile.length > 0) edits.set(module, inFile);
  }
  return { forms, byCall, edits };
}

function elicitCalls(file: SourceFile, runtime: RuntimeSymbols): CallExpression[] {
  const calls = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => isContextCall(call, "elicit", runtime));
  // A call inside the arguments of another begins later but ends earlier, and is edited where it ends.
  return calls.sort((a, b) => a.getEnd() - b.getEnd());
}

/** Undefined for calls that bring a form of their own, and for those whose type is no form. */
function formOf(call: CallExpression, { project, cache, collector }: Context): Form | undefined {
  const report = collector.reporter();
  const spread = call.getArguments().find((each) => Node.isSpreadElement(each));
  if (spread) {
    report("form-arguments-spread", spread, {});
    return undefined;
  }
  const [message, options, id] = call.getArguments();
  if (!message || id) return undefined;
  if (options && hasOwnSchema(options.getType())) {
    for (const field of secretsOf(ownSchema(options, project))) {
      report("form-asks-for-secret", options, { field });
    }
    return undefined;
  }
  const [written] = call.getTypeArguments();
  const type = written ? written.getType() : inferredType(call);
  const callee = call.getExpression();
  const at = written ?? (Node.isPropertyAccessExpression(callee) ? callee.getNameNode() : callee);
  return type && deriveForm(type.compilerType, at.compilerNode, { checker: project.checker, cache, report });
}

function hasOwnSchema(options: Type): boolean {
  return options.getProperty("schema")?.isOptional() === false;
}

/** The schema that a call brings along in its options; without anything in it where only the running program knows. */
export function ownSchema(options: Node, { checker }: Project): JsonSchema {
  const member = Node.isObjectLiteralExpression(options) ? options.getProperty("schema") : undefined;
  // `{ schema }`
  const named = Node.isShorthandPropertyAssignment(member)
    ? member.getValueSymbol()?.getValueDeclaration()
    : member;
  const schema = Node.isInitializerExpressionGetable(named) ? named.getInitializer() : undefined;
  const constant = schema && constantValue(schema.compilerNode, checker);
  return (constant?.value ?? {}) as JsonSchema;
}

function secretsOf({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => (asksForSecret(name, field) ? name : []));
}

/** What TypeScript made of a call without a type argument: `T` of the `ElicitAnswer<T>` that is awaited. */
function inferredType(call: CallExpression): Type | undefined {
  return call.getType().getAwaitedType()?.getAliasTypeArguments()[0];
}

function withId(call: CallExpression, id: string): SourceEdit {
  const given = call.getArguments();
  const skipped = given.length === 1 ? ", undefined" : "";
  const end = given.at(-1)?.getEnd() ?? call.getEnd();
  return { start: end, end, text: `${skipped}, ${JSON.stringify(id)}` };
}
