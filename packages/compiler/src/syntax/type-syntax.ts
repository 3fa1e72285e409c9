/**
 * Finds the declarations that a type comes from. The checker knows the values of a type, but it turns `Count` into
 * `number`, and so loses the `@minimum` on `type Count = number`. This entry point follows what the author wrote, through
 * names and operators.
 * @module
 */
import type { ts } from "../typescript/typescript.js";
import { withoutUndefined } from "../typescript/type-identity.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import type { DocComment } from "../jsdoc/doc-comment.js";
import { getAliases, getAlternatives } from "./alternatives.js";
import { denotes, findPart } from "./denotes.js";
import { follow, isPlain } from "./expressions.js";
import { findLostTag, type LostTag } from "./lost-tags.js";
import {
  getMemberComment,
  getMethodComment,
  getOwnerSecret,
  getParameterComment,
} from "./member-comments.js";
import { getDeclaredStructure, findIndexMember, findMember } from "./members.js";
import {
  findAlias,
  findTypeParameters,
  getBases,
  bindConstraints,
  getBinding,
  getInheritedBindings,
  isClassOrInterface,
} from "./names.js";
import { getOwnComments, getWrittenComments } from "./type-comments.js";
import {
  assemble,
  MAX_STEPS,
  NO_BINDINGS,
  type ObjectStructure,
  type Resolution,
  type Step,
  type TypeBindings,
  type TypeResolver,
  type WrittenMember,
  type WrittenType,
} from "./written-type.js";

export { NO_BINDINGS, type Resolution, type Structure, type TupleElement } from "./written-type.js";
export { findAlias, getBases, isClassOrInterface } from "./names.js";
export type { TypeBindings, WrittenMember, WrittenType } from "./written-type.js";

/** Finds the declarations that a type comes from, and the comments that apply to its values. */
export interface TypeSyntax extends TypeResolver {
  /**
   * Returns the alternatives of a union, including those of aliases of unions. A type that is not a union is returned alone.
   *
   * @param isWhole decides whether a union remains one alternative
   */
  getAlternatives(written: WrittenType, isWhole?: (written: WrittenType) => boolean): WrittenType[];
  /** Returns the part of an intersection that is `member`. Several such parts are returned as an intersection. */
  findPart(written: WrittenType, member: ts.Type): WrittenType | undefined;
  /** Returns the aliases of a type, outermost first. */
  getAliases(written: WrittenType): ts.TypeAliasDeclaration[];
  /** Returns a type as its symbol declares it, for a type without a known expression. */
  getDeclared(type: ts.Type): WrittenType | undefined;
  /** Returns the type arguments that a class or interface passes to the declarations that it extends or implements. */
  getInheritedBindings(declaration: ts.Node): TypeBindings;
  /**
   * Returns the constraint of a type parameter or a type that depends on some, as it is written.
   *
   * @param outer the types of the type parameters that are in scope at a type parameter without an expression
   */
  bindConstraints(
    written: WrittenType | undefined,
    type: ts.Type,
    outer: TypeBindings,
  ): WrittenType | undefined;
  /** Returns the comments of the class, interface, enum, or alias itself, starting with the nearest to the value. */
  getOwnComments(type: ts.Type): readonly DocComment[];
  /**
   * Returns the comments of names that the author wrote and the checker drops.
   *
   * @param documented declarations whose comments have already been applied
   */
  getWrittenComments(
    type: ts.Type,
    written: WrittenType | undefined,
    documented?: readonly ts.Node[],
  ): readonly DocComment[];
  /** Finds a tag that a type loses because its expression cannot be followed. */
  findLostTag(written: WrittenType, type: ts.Type): LostTag | undefined;
  /** Returns the comment of a member. Text and tags that it lacks come from the members that it overrides or implements. */
  getMemberComment(symbol: ts.Symbol): DocComment | undefined;
  /** Returns the `@secret` of the types that contain the declaration of a member, except `owner`. */
  getOwnerSecret(symbol: ts.Symbol, owner: ts.Type): DocComment | undefined;
  /** Returns the comment of a method. Text and tags that it lacks come from the methods that it overrides or implements. */
  getMethodComment(method: ts.Node): DocComment | undefined;
  /** Returns the comment of a parameter, with what the method and those that it overrides document about it. */
  getParameterComment(parameter: ts.ParameterDeclaration): DocComment | undefined;
}

/** Maximum depth of types that are resolved within each other. */
const MAX_DEPTH = 40;
/** Maximum number of types that are resolved to follow one type. Conditional types can multiply the work at each level. */
const MAX_WORK = 10_000;

/**
 * Creates a view of a program's types as their authors wrote them. Create one per checker.
 *
 * @example
 * createTypeSyntax(comments).resolve({ node, bindings: NO_BINDINGS }).declarations
 * // of `Pages`, where `type Pages = Book["pages"]`: the alias, and the property
 */
export function createTypeSyntax(comments: CommentCache): TypeSyntax {
  const { checker } = comments;
  const types = createResolver(checker);
  const sources = { types, comments };
  return {
    ...types,
    getAlternatives: (written, isWhole) => getAlternatives(written, types, isWhole),
    findPart: (written, member) => findPart(written, member, types),
    getAliases: (written) => getAliases(written, types),
    getDeclared: (type) => getDeclaredType(type),
    getInheritedBindings: (declaration) => getInheritedBindings(declaration, checker),
    bindConstraints: (written, type, outer) => bindConstraints(written, type, outer, checker),
    getOwnComments: (type) => getOwnComments(type, sources),
    getWrittenComments: (type, written, documented = []) =>
      getWrittenComments(type, written, documented, sources),
    findLostTag: (written, type) => findLostTag(written, type, sources),
    getMemberComment: (symbol) => getMemberComment(symbol, comments),
    getOwnerSecret: (symbol, owner) => getOwnerSecret(symbol, owner, comments),
    getMethodComment: (method) => getMethodComment(method, comments),
    getParameterComment: (parameter) => getParameterComment(parameter, comments),
  };
}

function getDeclaredType({ symbol }: ts.Type): WrittenType | undefined {
  const [node] = symbol?.declarations ?? [];
  const structure = node && getDeclaredStructure(symbol?.declarations ?? []);
  return structure && assemble({ node, bindings: NO_BINDINGS }, structure);
}

/** Cached facts about one written type. */
interface Findings {
  step: Step | undefined;
  atAlias: WrittenType | undefined;
  resolution: Resolution | undefined;
  comparisons: Map<ts.Type, boolean> | undefined;
  members: Map<string, WrittenMember | undefined> | undefined;
}

/** Creates a resolver that caches results. Types share parts, so without a cache nested operators would multiply the work. */
function createResolver(checker: ts.TypeChecker): TypeResolver {
  const all = new Map<WrittenType | ts.Node, Findings>();
  /** The type parameters that nodes mention. A declaration such as `Partial` is read with many bindings. */
  const typeParameters = new Map<ts.Node, readonly ts.Symbol[]>();
  const bases = new Map<ObjectStructure, readonly WrittenType[]>();
  let depth = 0;
  let work = 0;
  const withinDepth = <Found>(find: () => Found): Found | undefined => {
    if (depth === 0) work = 0;
    if (depth >= MAX_DEPTH || work >= MAX_WORK) return undefined;
    depth++;
    work++;
    try {
      return find();
    } finally {
      depth--;
    }
  };
  const resolver: TypeResolver = {
    checker,
    isOpen(written) {
      const { node, bindings } = written;
      if (bindings.size === 0) return false;
      const parameters = getOrAdd(typeParameters, node, () => findTypeParameters(node, checker));
      return parameters.some((parameter) => bindings.has(parameter));
    },
    resolveToAlias(written) {
      if (written.structure ?? isPlain(written.node)) return written;
      return (getFindings(written).atAlias ??= resolveToAlias(written));
    },
    resolve(written) {
      if (!written.structure && isPlain(written.node)) return resolve(written);
      return (getFindings(written).resolution ??= resolve(written));
    },
    step(written) {
      const next = step(written);
      return "kind" in next ? undefined : next;
    },
    getType(written) {
      let own: WrittenType | undefined = written;
      for (let steps = 0; own && !own.structure && steps < MAX_STEPS; steps++) {
        if (!resolver.isOpen(own)) return checker.getTypeFromTypeNode(own.node);
        if (own.type) return own.type;
        own = resolver.step(own);
      }
      return own?.type;
    },
    denotes(written, type, level = 0) {
      // This cheap comparison decides most cases.
      const isClosed = !written.structure && written.bindings.size === 0;
      if (isClosed && checker.getTypeFromTypeNode(written.node) === type) return true;
      const own = resolver.resolveToAlias(written);
      const comparisons = (getFindings(own).comparisons ??= new Map());
      return getOrAdd(comparisons, type, () => denotes(own, type, resolver, level));
    },
    // The same bases for each member, so that each base is followed only once.
    listBases: (structure) =>
      getOrAdd(bases, structure, () => {
        const { declarations, bindings } = structure;
        return declarations
          .filter(isClassOrInterface)
          .flatMap((each) => getBases(each).map((node): WrittenType => ({ node, bindings })));
      }),
    findMember(written, name, symbol) {
      const members = (getFindings(written).members ??= new Map());
      return getOrAdd(members, `${symbol ? "" : "?"}${name}`, () => {
        const found = withinDepth(() => findMember(written, name, symbol, resolver));
        return found?.written ? { ...found, written: withType(found.written, written, name, symbol) } : found;
      });
    },
    findIndexMember: (written, declaration) =>
      withinDepth(() => findIndexMember(written, resolver, declaration)),
  };

  function getFindings(written: WrittenType): Findings {
    const key = isExpressionAlone(written) ? written.node : written;
    let findings = all.get(key);
    if (!findings) {
      findings = {
        step: undefined,
        atAlias: undefined,
        resolution: undefined,
        comparisons: undefined,
        members: undefined,
      };
      all.set(key, findings);
    }
    return findings;
  }

  function step(written: WrittenType): Step {
    if (written.structure) return written.structure;
    if (isPlain(written.node)) return follow(written, resolver);
    return (getFindings(written).step ??= withinDepth(() => follow(written, resolver)) ?? {
      kind: "unfollowed",
      node: written.node,
    });
  }

  function resolveToAlias(written: WrittenType): WrittenType {
    let own = written;
    for (let steps = 0; steps < MAX_STEPS && !own.structure && !isAlias(own); steps++) {
      const next = step(own);
      if ("kind" in next) break;
      own = next;
    }
    return own;
  }

  function resolve(written: WrittenType): Resolution {
    let end = written;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const next = step(end);
      if ("kind" in next) return { structure: next, declarations: end.declarations ?? [], end };
      end = next;
    }
    return { structure: { kind: "unfollowed", node: end.node }, declarations: [], end };
  }

  /** Adds the checker's type of a member, as its owner has it, if the written type mentions type parameters. */
  function withType(
    member: WrittenType,
    owner: WrittenType,
    name: string,
    symbol: ts.Symbol | undefined,
  ): WrittenType {
    if (member.type ?? !(member.structure ?? resolver.isOpen(member))) return member;
    const known = symbol ?? resolver.getType(owner)?.getProperty(name);
    return known ? { ...member, type: withoutUndefined(checker.getTypeOfSymbol(known)) } : member;
  }

  function isAlias({ node, bindings }: WrittenType): boolean {
    return getBinding(node, bindings, checker) === undefined && findAlias(node, checker) !== undefined;
  }

  return resolver;
}

/** Returns whether a type is nothing but its expression, and so equal to any other with the same node. */
function isExpressionAlone({ bindings, structure, declarations, type }: WrittenType): boolean {
  return bindings.size === 0 && !(structure ?? declarations ?? type);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  if (map.has(key)) return map.get(key) as Value;
  const value = create();
  map.set(key, value);
  return value;
}
