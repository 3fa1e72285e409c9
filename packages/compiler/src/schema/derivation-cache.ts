import { createCommentCache, type CommentCache } from "../jsdoc/comment-cache.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import { createRuntimeSymbols, type RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";

/** What stays true of a program for as long as its checker lives, so that it is found out once. */
export interface DerivationCache {
  readonly checker: ts.TypeChecker;
  readonly runtime: RuntimeSymbols;
  readonly comments: CommentCache;
  /** Parts of named, non-recursive types that gave no diagnostic, by direction and type identity. */
  readonly fragments: Map<string, SchemaFragment>;
}

/** One per checker; share it between derivations of the same program. */
export function createDerivationCache(checker: ts.TypeChecker): DerivationCache {
  return {
    checker,
    runtime: createRuntimeSymbols(checker),
    comments: createCommentCache(checker),
    fragments: new Map(),
  };
}
