import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import { createUses, type Part, partOf, reachedParts } from "../check/reached-parts.js";
import type { Declaration } from "../model.js";
import { isContextCall } from "../project/context-calls.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { ownSchema } from "./read-forms.js";

/** What a handler may ask of its client, by the specification's names. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** The user is sent to a page. */
  readonly mode?: "url";
  /** The form that the user fills in. Absent where only the running server knows it. */
  readonly requestedSchema?: JsonSchema;
}

interface Context {
  project: Project;
  runtime: RuntimeSymbols;
  /** The forms that were derived, by the calls of `Context.elicit`. */
  forms: ReadonlyMap<Node, Form>;
}

/**
 * What each declaration may ask, once each: the questions in whatever its method calls, makes or names, as far as the source
 * tells. What middleware asks belongs to none.
 *
 * @returns the answer for one declaration
 */
export function readQuestions(context: Context): (declaration: Declaration) => Question[] {
  const asked = new Map<Part, Question[]>();
  for (const file of context.project.sourceFiles) {
    for (const { node, question } of questionsIn(file, context)) {
      const part = partOf(node.compilerNode);
      asked.set(part, [...(asked.get(part) ?? []), question]);
    }
  }
  if (asked.size === 0) return () => [];
  const uses = createUses(context.project, { imports: false });
  return (declaration) => {
    const found = [...reachedParts(declaration, uses)].flatMap((part) => asked.get(part) ?? []);
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  };
}

function questionsIn(file: SourceFile, context: Context): { node: Node; question: Question }[] {
  // Looking at every expression of a program is slow, and hardly any file asks.
  if (!/\b(?:elicit|elicitUrl|sample|roots|UrlElicitationRequiredError)\b/.test(file.getFullText()))
    return [];
  const made = [SyntaxKind.CallExpression, SyntaxKind.NewExpression] as const;
  return made.flatMap((kind) =>
    file.getDescendantsOfKind(kind).flatMap((node) => {
      const question = questionOf(node, context);
      return question ? [{ node, question }] : [];
    }),
  );
}

function questionOf(node: Node, { project, runtime, forms }: Context): Question | undefined {
  if (Node.isNewExpression(node)) {
    const name = runtime.nameOf(node.getExpression().getSymbol()?.compilerSymbol);
    return name === "UrlElicitationRequiredError" ? ASKED.elicitUrl : undefined;
  }
  if (!Node.isCallExpression(node)) return undefined;
  if (isContextCall(node, "elicit", runtime)) {
    const [, options] = node.getArguments();
    const requestedSchema = forms.get(node)?.requestedSchema ?? (options && ownSchema(options, project));
    const isKnown = requestedSchema?.properties !== undefined;
    return { method: "elicitation/create", ...(isKnown && { requestedSchema }) };
  }
  const name = (["elicitUrl", "sample", "roots"] as const).find((each) => isContextCall(node, each, runtime));
  return name && ASKED[name];
}

const ASKED = {
  elicitUrl: { method: "elicitation/create", mode: "url" },
  sample: { method: "sampling/createMessage" },
  roots: { method: "roots/list" },
} as const satisfies Record<string, Question>;
