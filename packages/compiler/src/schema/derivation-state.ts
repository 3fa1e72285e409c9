import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../project/typescript.js";
import { inheritedBindings, NO_BINDINGS, type TypeBindings } from "../project/written-type.js";
import type { DeclarationName, Report } from "../diagnostics/diagnostic.js";
import { aliasComments, ownComments } from "../jsdoc/member-comments.js";
import { settleConversions } from "../conversions/recursive-conversions.js";
import { applyComment } from "./constraints/apply-comment.js";
import { resolved, nameOfTarget, targetOf, withDefs, type Definitions } from "../json-schema/definitions.js";
import { refusedValues, withoutValues } from "../json-schema/refused-values.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../json-schema/fragment.js";
import { type Derivation, type Direction, type TypeSite, type TypeRule } from "./derivation.js";
import { createDerivationCache, type DerivationCache } from "./derivation-cache.js";
import { identityOf, onlyPresent, presentMembers } from "./type-identity.js";
import { insideOf, pathOf, trustedNode, writtenAt } from "./type-sites.js";
import { enclosingAlias, isShareable, namingSymbol, Names, referenceTo } from "./families/references.js";
import { unionBesideItself } from "./families/written-unions.js";

/** What deriving needs to know besides the type. */
export interface DeriveContext {
  checker: ts.TypeChecker;
  report: Report;
  direction: Direction;
  /** The class that has the method: it may say what the type parameters of the class it extends stand for. */
  owner?: ts.Node;
  /** Named in diagnostics. */
  subject?: DeclarationName;
  /** Share one between all derivations of a program: what is found out once is not looked up again. */
  cache?: DerivationCache;
}

/** A schema with the plan that turns its JSON into the declared values (or, for outputs, back). */
export interface Derived {
  /** What values must satisfy, as exactly as JSON Schema says it. Recursive types sit in its own `$defs`. */
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** No model reads a schema of this size, and no author means to write one. */
const MOST_FRAGMENTS = 20_000;
/** Far deeper than anything a client shows; each level costs stack. */
const MOST_LEVELS = 200;
/** How often one declaration may be open with other type arguments before it is taken for endless. */
const MOST_INSTANCES = 40;
/** How many characters of a type a diagnostic prints. */
const LONGEST_TYPE = 80;

interface OpenType {
  identity: string;
  type: ts.Type;
  symbol: ts.Symbol;
  /** Set when the type was met again inside itself. */
  recursive: boolean;
}

/** Derives one type, or the parameters of one signature, which share their definitions. */
export class DerivationState implements Derivation {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly cache: DerivationCache;
  readonly report: Report;
  readonly defs: Record<string, JsonSchema> = {};
  /** What type parameters stand for outside of the derived types. */
  readonly bindings: TypeBindings;
  readonly #context: DeriveContext;
  readonly #rules: readonly TypeRule[];
  readonly #names: Names;
  /** The recursive types that are unions and completely derived. */
  readonly #unions: ts.UnionType[] = [];
  /** Recursive types that are completely derived, by identity. */
  readonly #defined = new Map<string, SchemaFragment>();
  readonly #conversions = new Map<string, Conversion>();
  readonly #stack: OpenType[] = [];
  #fragments = 0;
  /** Set when there is no point in going on. */
  #halted = false;
  #level = 0;
  #reports = 0;
  #references = 0;

  constructor(context: DeriveContext, rules: readonly TypeRule[]) {
    this.checker = context.checker;
    this.direction = context.direction;
    this.cache = context.cache ?? createDerivationCache(context.checker);
    this.report = (code, at, parameters) => {
      this.#reports++;
      context.report(code, at, parameters);
    };
    this.bindings = context.owner ? inheritedBindings(context.owner, context.checker) : NO_BINDINGS;
    this.#names = new Names(context.checker);
    this.#context = context;
    this.#rules = rules;
  }

  where(site: TypeSite, depth = Infinity): string {
    const path = pathOf(site).slice(0, depth);
    const { subject } = this.#context;
    const of = subject ? ` of ${subject.kind} \`${subject.name}\`` : "";
    const [first] = path;
    if (this.direction === "output") {
      return first === undefined ? `The result${of}` : `\`${path.join(" → ")}\` in the result${of}`;
    }
    if (first === undefined) return of ? `The arguments object${of}` : "The value";
    return path.length === 1 ? `Argument \`${first}\`${of}` : `\`${path.join(" → ")}\` in the arguments${of}`;
  }

  show(type: ts.Type): string {
    // JSON has no `undefined`: a value that may be left out is shown by the type it has otherwise.
    const shown = this.checker.typeToString(onlyPresent(type));
    const text = shown
      .replaceAll(/\s+/g, " ")
      .replace(/ \| undefined$/, "")
      // What the checker adds to what is written: `Float32Array`, and the `T` that a handler returns.
      .replaceAll("<ArrayBufferLike>", "")
      .replace(/^Awaited<(\w+)>$/, "$1");
    return text.length > LONGEST_TYPE ? `${text.slice(0, LONGEST_TYPE)}…` : text;
  }

  derive(type: ts.Type, site: TypeSite): SchemaFragment {
    if (this.#halted) return UNSUPPORTED;
    if (++this.#fragments > MOST_FRAGMENTS) return this.#tooLarge(site);
    const present = onlyPresent(type);
    if (this.#level >= MOST_LEVELS) return this.#endless(present, site);
    const own = writtenAt(site.typeNode, site);
    const written = trustedNode(own, present, this);
    const trusted = insideOf(site, written, present, this.checker);
    this.#level++;
    const fragment = this.#deriveNamed(present, trusted);
    this.#level--;
    return aliasComments(present, written && own, this.cache.comments).reduce(
      (documented, comment) => applyComment(documented, comment, present, trusted, this),
      fragment,
    );
  }

  /** Puts definitions and conversions beside the fragment; undefined when it is unsupported or has no values. */
  close(fragment: SchemaFragment, type: ts.Type, site: TypeSite): Derived | undefined {
    if (fragment === UNSUPPORTED) return undefined;
    if (fragment === NEVER) {
      this.report("type-never", site.node, {
        where: this.where(site),
        type: this.show(type),
      });
      return undefined;
    }
    const expanded = this.#expanded(fragment.schema);
    const root = this.direction === "output" ? describedAtRoot(expanded, this.defs) : expanded;
    return {
      schema: this.#withFittingValues(withDefs(root, this.defs), site),
      ...settleConversions(
        fragment.conversion,
        this.#conversions,
        this.defs,
        this.direction === "output" ? "value" : "json",
      ),
    };
  }

  /** While a type that refers to itself is derived, it is not known yet which values it takes. */
  #withFittingValues(schema: JsonSchema, site: TypeSite): JsonSchema {
    if (!schema.$defs) return schema;
    const refused = refusedValues(schema);
    for (const { role, value, problem, path, schema: own } of refused) {
      const at = path.reduce<TypeSite>((outer, segment) => ({ node: site.node, outer, segment }), site);
      const code = role === "default" ? "constraint-default-does-not-fit" : "constraint-example-does-not-fit";
      this.report(code, site.node, {
        where: this.where(at),
        value: JSON.stringify(value),
        type: nameOfTarget(own.anyOf?.[0] ?? own) ?? [own.type ?? []].flat().join(" | "),
        ...(problem !== undefined && { problem }),
      });
    }
    return withoutValues(schema, refused);
  }

  /** A root must not be a reference: it is a copy of the definition instead. */
  #expanded(schema: JsonSchema): JsonSchema {
    const { $ref: _, ...rest } = schema;
    const target = targetOf(schema, this.defs);
    return target ? { ...target, ...rest } : schema;
  }

  regroupUnion(members: readonly ts.Type[]): readonly ts.Type[] {
    const open = this.#stack.flatMap(({ type }) => (type.isUnion() ? [type] : []));
    const [whole] = [...open, ...this.#unions]
      .filter((union) => isWithin(union, members))
      .sort((a, b) => b.types.length - a.types.length);
    if (!whole) return members;
    const first = members.findIndex((member) => whole.types.includes(member));
    return members.flatMap((member, index) => {
      if (index === first) return [whole];
      return whole.types.includes(member) ? [] : [member];
    });
  }

  /** Named types are checked for recursion, and cached when they do not refer to an open one. */
  #deriveNamed(type: ts.Type, site: TypeSite): SchemaFragment {
    const name = namingSymbol(type);
    const symbol = name ?? enclosingAlias(type, this.checker);
    if (!symbol) return this.#applyRules(type, site);
    const union = unionBesideItself(type, site, this);
    if (union) return union;
    // What `toJSON` gave is not asked for its own, and so is another type than elsewhere.
    const identity = `${identityOf(type)}${site.isJson ? " as JSON" : ""}`;
    const open = this.#stack.find((each) => each.identity === identity);
    const defined = this.#defined.get(identity);
    if (open || defined) {
      if (open) open.recursive = true;
      this.#references++;
      return defined ?? referenceTo(this.#names.of(identity, type));
    }
    const key = name && isShareable(type) && !site.binding ? `${this.direction} ${identity}` : undefined;
    const cached = key === undefined ? undefined : this.cache.fragments.get(key);
    if (cached) return cached;
    if (this.#stack.filter((each) => each.symbol === symbol).length >= MOST_INSTANCES)
      return this.#endless(type, site);

    const before = this.#reports + this.#references;
    const entry: OpenType = { identity, type, symbol, recursive: false };
    this.#stack.push(entry);
    const fragment = this.#applyRules(type, site);
    this.#stack.pop();
    if (fragment === UNSUPPORTED || fragment === NEVER) return fragment;
    if (entry.recursive) return this.#define(identity, type, fragment);
    if (key !== undefined && this.#reports + this.#references === before)
      this.cache.fragments.set(key, fragment);
    return fragment;
  }

  #applyRules(type: ts.Type, site: TypeSite): SchemaFragment {
    for (const rule of this.#rules) {
      const fragment = rule(type, site, this);
      if (!fragment) continue;
      if (fragment === UNSUPPORTED || fragment === NEVER) return fragment;
      return ownComments(type, this.cache.comments).reduce(
        (documented, comment) => applyComment(documented, comment, type, site, this),
        fragment,
      );
    }
    this.report("type-unresolved", site.node, {
      where: this.where(site),
      type: this.show(type),
    });
    return UNSUPPORTED;
  }

  #define(identity: string, type: ts.Type, fragment: SchemaFragment): SchemaFragment {
    const name = this.#names.of(identity, type);
    this.defs[name] = fragment.schema;
    if (fragment.conversion) this.#conversions.set(name, fragment.conversion);
    const reference = referenceTo(name);
    if (type.isUnion()) this.#unions.push(type);
    this.#defined.set(identity, reference);
    return reference;
  }

  #endless(type: ts.Type, site: TypeSite): SchemaFragment {
    this.#halted = true;
    this.report("type-recursive-endless", site.node, { where: this.where(site, 2), type: this.show(type) });
    return UNSUPPORTED;
  }

  #tooLarge(site: TypeSite): SchemaFragment {
    this.#halted = true;
    this.report("type-too-large", site.node, { where: this.where(site, 0), limit: MOST_FRAGMENTS });
    return UNSUPPORTED;
  }
}

/** Of `Report | null`, what is said of a report is said of the result. */
function describedAtRoot(schema: JsonSchema, defs: Definitions): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (!only || others.length > 0 || rest.description !== undefined) return schema;
  const { description: own, ...undescribed } = only;
  const description = own ?? resolved(only, defs).description;
  if (description === undefined) return schema;
  return { ...rest, anyOf: anyOf.map((each) => (each === only ? undescribed : each)), description };
}

/** Whether a union is part of another, of more members. */
function isWithin(union: ts.UnionType, members: readonly ts.Type[]): boolean {
  const present = presentMembers(union);
  return present.length < members.length && present.every((member) => members.includes(member));
}
