import { ts } from "../project/typescript.js";
import { createRuntimeSymbols, type RuntimeSymbols } from "../project/runtime-symbols.js";
import type { Part } from "./derivation.js";
import { readComment, type DocComment } from "../jsdoc/doc-comment.js";

/** What stays true of a program for as long as its checker lives, so that it is found out once. */
export interface DeriveMemory {
  readonly checker: ts.TypeChecker;
  readonly runtime: RuntimeSymbols;
  /** Parts of named, non-recursive types that gave no diagnostic, by direction and type identity. */
  readonly parts: Map<string, Part>;
  /** Set once a schema says what `portable` has to say otherwise; until then there is nothing to lower. */
  hasExactForms: boolean;
  /** What is said of a method, by its node: each of its parameters asks. */
  readonly methodComments: Map<ts.Node, DocComment | undefined>;
  /** The comment directly before a node. */
  commentOf(node: ts.Node): DocComment | undefined;
}

/** One per checker; share it between derivations of the same program. */
export function createDeriveMemory(checker: ts.TypeChecker): DeriveMemory {
  const comments = new Map<ts.Node, DocComment | undefined>();
  return {
    checker,
    runtime: createRuntimeSymbols(checker),
    parts: new Map(),
    hasExactForms: false,
    methodComments: new Map(),
    commentOf(node) {
      if (comments.has(node)) return comments.get(node);
      const comment = readComment(node);
      comments.set(node, comment);
      return comment;
    },
  };
}
