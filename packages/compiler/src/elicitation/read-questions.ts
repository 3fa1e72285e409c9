import type { Form, JsonSchema } from "@tenon/runtime/manifest";
import type { SourceFile } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import { createUsedPartsFinder, type Part, findPart, findReachedParts } from "../check/reached-parts.js";
import type { Declaration } from "../model.js";
import { isContextCall } from "../typescript/context-calls.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { isFormCall, readCustomSchema } from "./read-forms.js";

/** A request that a handler may send to its client, with the specification's names. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** Present if the user is sent to a page. */
  readonly mode?: "url";
  /** The form that the user fills in. Absent if only the running server knows it. */
  readonly requestedSchema?: JsonSchema;
}

interface Context {
  project: Project;
  runtime: RuntimeSymbols;
  /** The derived forms, by the call to `Context.elicit` that sends each. */
  forms: ReadonlyMap<Node, Form>;
}

/**
 * Finds the requests that each declaration may send: those in everything that its method calls, constructs, or names, as
 * far as the source shows. Requests of middleware belong to no declaration.
 *
 * @returns a function that lists the requests of one declaration
 */
export function readQuestions(context: Context): (declaration: Declaration) => Question[] {
  const questionsByPart = new Map<Part, Question[]>();
  for (const file of context.project.sourceFiles) {
    for (const { node, question } of findQuestions(file, context)) {
      const part = findPart(node.compilerNode);
      questionsByPart.set(part, [...(questionsByPart.get(part) ?? []), question]);
    }
  }
  if (questionsByPart.size === 0) return () => [];
  const uses = createUsedPartsFinder(context.project, { imports: false });
  return (declaration) => {
    const found = [...findReachedParts(declaration, uses)].flatMap((part) => questionsByPart.get(part) ?? []);
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  };
}

function findQuestions(file: SourceFile, context: Context): { node: Node; question: Question }[] {
  // Searching every expression of a program is slow, and few files send requests.
  if (!/\b(?:elicit|ask|elicitUrl|sample|roots|UrlElicitationRequiredError)\b/.test(file.getFullText()))
    return [];
  const kinds = [SyntaxKind.CallExpression, SyntaxKind.NewExpression] as const;
  return kinds.flatMap((kind) =>
    file.getDescendantsOfKind(kind).flatMap((node) => {
      const question = readQuestion(node, context);
      return question ? [{ node, question }] : [];
    }),
  );
}

function readQuestion(node: Node, { project, runtime, forms }: Context): Question | undefined {
  if (Node.isNewExpression(node)) {
    const name = runtime.getName(node.getExpression().getSymbol()?.compilerSymbol);
    return name === "UrlElicitationRequiredError" ? REQUESTS.elicitUrl : undefined;
  }
  if (!Node.isCallExpression(node)) return undefined;
  if (isFormCall(node, runtime)) {
    const [, options] = node.getArguments();
    const requestedSchema =
      forms.get(node)?.requestedSchema ?? (options && readCustomSchema(options, project));
    const isKnown = requestedSchema?.properties !== undefined;
    return { method: "elicitation/create", ...(isKnown && { requestedSchema }) };
  }
  const name = (["elicitUrl", "sample", "roots"] as const).find((each) => isContextCall(node, each, runtime));
  return name && REQUESTS[name];
}

const REQUESTS = {
  elicitUrl: { method: "elicitation/create", mode: "url" },
  sample: { method: "sampling/createMessage" },
  roots: { method: "roots/list" },
} as const satisfies Record<string, Question>;
