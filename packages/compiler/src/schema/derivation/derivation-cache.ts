import { createCommentCache, type CommentCache } from "../../jsdoc/comment-cache.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { createRuntimeSymbols, type RuntimeSymbols } from "../../typescript/runtime-symbols.js";
import type { ts } from "../../typescript/typescript.js";
import { createTypeSyntax, type TypeSyntax } from "../../syntax/type-syntax.js";

/** The facts about a program that do not change while its checker lives. */
export interface DerivationCache {
  readonly checker: ts.TypeChecker;
  readonly runtime: RuntimeSymbols;
  readonly comments: CommentCache;
  /** Types as their authors wrote them. */
  readonly types: TypeSyntax;
  /** Fragments of named, non-recursive types without diagnostics, by direction and type identity. */
  readonly fragments: Map<string, CachedFragment>;
}

/** A fragment that is derived once, and counted each time that a schema contains it. */
export interface CachedFragment {
  readonly fragment: SchemaFragment;
  /** The number of fragments that it consists of. */
  readonly parts: number;
}

/** Creates the cache for a checker. All derivations of the same program should share it. */
export function createDerivationCache(checker: ts.TypeChecker): DerivationCache {
  const comments = createCommentCache(checker);
  return {
    checker,
    runtime: createRuntimeSymbols(checker),
    comments,
    types: createTypeSyntax(comments),
    fragments: new Map(),
  };
}
