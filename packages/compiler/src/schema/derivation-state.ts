import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../typescript/typescript.js";
import { NO_BINDINGS, type TypeBindings, type WrittenType } from "../syntax/type-syntax.js";
import type { DeclarationName, Report } from "../diagnostics/diagnostic.js";
import { finalizeConversions } from "../conversions/recursive-conversions.js";
import { applyComment } from "./constraints/apply-comment.js";
import { getTargetName, withDefs } from "../json-schema/definitions.js";
import { findRejectedValues, withoutRejectedValues } from "../json-schema/rejected-values.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../json-schema/fragment.js";
import { type Derivation, type Direction, type TypeSite, type TypeRule } from "./derivation/derivation.js";
import { moveAlternativeDefaults } from "./derivation/alternative-defaults.js";
import { createDerivationCache, type DerivationCache } from "./derivation/derivation-cache.js";
import { getIdentity, isWithin, withoutUndefined } from "../typescript/type-identity.js";
import { formatType } from "../typescript/type-text.js";
import { expandRoot, withRootDescription } from "./derivation/root-schema.js";
import { describePath } from "./derivation/site-text.js";
import { isUnresolved } from "./families/type-variables.js";
import { toInnerSite, getPath, findTrustedType } from "./derivation/type-sites.js";
import {
  findEnclosingSymbol,
  isShareable,
  findNamingSymbol,
  Names,
  createReference,
} from "./families/references.js";
import { deriveSelfContainingUnion } from "./families/written-unions.js";

/** The context of a derivation, apart from the type. */
export interface DeriveContext {
  checker: ts.TypeChecker;
  report: Report;
  direction: Direction;
  /** The class that has the method. It may bind the type parameters of the class that it extends. */
  owner?: ts.Node;
  /** The declaration to name in diagnostics. */
  subject?: DeclarationName;
  /** Whether diagnostics name the fields of a form instead of arguments. */
  isForm?: boolean;
  /** The cache that all derivations of a program should share, to avoid repeated lookups. */
  cache?: DerivationCache;
}

/** A schema, and the conversions of its JSON to the declared values (for outputs, the reverse). */
export interface Derived {
  /** The schema of the values, as exact as JSON Schema allows. Recursive types are in its own `$defs`. */
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** Maximum number of fragments in one schema. Models do not read larger ones, and authors do not intend them. */
const MAX_FRAGMENTS = 20_000;
/** Maximum nesting depth of a type: far deeper than clients display. Each level costs stack. */
const MAX_LEVELS = 200;
/** Maximum number of open instances of one declaration, after which its recursion is considered endless. */
const MAX_INSTANCES = 40;

interface OpenType {
  identity: string;
  type: ts.Type;
  symbol: ts.Symbol;
  /** Whether the type occurred again inside itself. */
  recursive: boolean;
}

/** Derives one type, or the parameters of one signature, which share their definitions. */
export class DerivationState implements Derivation {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly subject: DeclarationName | undefined;
  readonly cache: DerivationCache;
  readonly report: Report;
  readonly defs: Record<string, JsonSchema> = {};
  readonly bindings: TypeBindings;
  readonly #rules: readonly TypeRule[];
  readonly #names: Names;
  /** The fully derived recursive types that are unions. */
  readonly #unions: ts.UnionType[] = [];
  /** The references to fully derived recursive types, by type identity. */
  readonly #defined = new Map<string, SchemaFragment>();
  readonly #conversions = new Map<string, Conversion>();
  readonly #stack: OpenType[] = [];
  readonly isForm: boolean;
  /** The unsent reports of problems inside a type that may be endless. */
  readonly #inside: (() => void)[] = [];
  #fragments = 0;
  /** Whether derivation has stopped, since the type is endless or too large. */
  #isHalted = false;
  #level = 0;
  #reports = 0;
  #references = 0;

  constructor(context: DeriveContext, rules: readonly TypeRule[]) {
    this.checker = context.checker;
    this.direction = context.direction;
    this.subject = context.subject;
    this.isForm = context.isForm === true;
    this.cache = context.cache ?? createDerivationCache(context.checker);
    this.report = (code, at, parameters) => {
      this.#reports++;
      this.#inside.push(() => context.report(code, at, parameters));
      this.#sendReports();
    };
    this.bindings = context.owner ? this.cache.types.getInheritedBindings(context.owner) : NO_BINDINGS;
    this.#names = new Names(context.checker);
    this.#rules = rules;
  }

  describeSite(site: TypeSite, depth = Infinity): string {
    return describePath(getPath(site).slice(0, depth), this);
  }

  formatType(type: ts.Type): string {
    // JSON has no `undefined`: an optional value is shown without it.
    return formatType(withoutUndefined(type), this.checker).replace(/ \| undefined$/, "");
  }

  derive(type: ts.Type, site: TypeSite): SchemaFragment {
    if (this.#isHalted) return UNSUPPORTED;
    if (++this.#fragments > MAX_FRAGMENTS) return this.#reportTooLarge(site);
    const present = withoutUndefined(type);
    if (this.#level >= MAX_LEVELS) return this.#reportEndless(present, site);
    const written = findTrustedType(site.written, present, this);
    const inside = toInnerSite(site, written);
    // An expression that cannot be followed is not trusted, but may lose a tag.
    const expression = written ?? site.written;
    if (expression) this.#warnAboutLostTag(expression, present, inside);
    this.#level++;
    const fragment = this.#deriveNamed(present, inside);
    this.#level--;
    // Those of a type parameter are applied to its constraint.
    if (isUnresolved(present)) return fragment;
    const comments = this.cache.types.getWrittenComments(present, written && site.written, site.documented);
    return comments.reduce(
      (documented, comment) => applyComment(documented, comment, present, inside, this),
      fragment,
    );
  }

  /** Adds definitions and conversions to the fragment. Returns undefined if it is unsupported or has no values. */
  close(fragment: SchemaFragment, type: ts.Type, site: TypeSite): Derived | undefined {
    if (fragment === UNSUPPORTED) return undefined;
    if (fragment === NEVER) {
      this.report("type-never", site.node, {
        where: this.describeSite(site),
        type: this.formatType(type),
      });
      return undefined;
    }
    const expanded = expandRoot(fragment.schema, this.defs);
    const root = this.direction === "output" ? withRootDescription(expanded, this.defs) : expanded;
    return {
      schema: this.#withFittingValues(moveAlternativeDefaults(withDefs(root, this.defs)), site),
      ...finalizeConversions(
        fragment.conversion,
        this.#conversions,
        this.defs,
        this.direction === "output" ? "value" : "json",
      ),
    };
  }

  /** Reports and removes defaults and examples that do not fit a recursive type. Its schema must be complete first. */
  #withFittingValues(schema: JsonSchema, site: TypeSite): JsonSchema {
    if (!schema.$defs) return schema;
    const rejected = findRejectedValues(schema);
    for (const { role, value, problem, path, schema: own } of rejected) {
      const at = path.reduce<TypeSite>((outer, segment) => ({ node: site.node, outer, segment }), site);
      const code = role === "default" ? "constraint-default-does-not-fit" : "constraint-example-does-not-fit";
      this.report(code, site.node, {
        where: this.describeSite(at),
        value: JSON.stringify(value),
        type: getTargetName(own.anyOf?.[0] ?? own) ?? [own.type ?? []].flat().join(" | "),
        ...(problem !== undefined && { problem }),
      });
    }
    return withoutRejectedValues(schema, rejected);
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

  #warnAboutLostTag(written: WrittenType, type: ts.Type, site: TypeSite): void {
    const lost = this.cache.types.findLostTag(written, type);
    if (!lost) return;
    this.report("constraint-tag-lost", site.node, {
      where: this.describeSite(site),
      tag: lost.tag.name,
      alias: lost.alias.name.text,
      isOfPart: lost.isOfPart,
    });
  }

  /** Derives a type. Named types are checked for recursion, and cached unless they refer to an open type. */
  #deriveNamed(type: ts.Type, site: TypeSite): SchemaFragment {
    const name = findNamingSymbol(type);
    const symbol = name ?? findEnclosingSymbol(type, this.checker);
    if (!symbol) return this.#applyRules(type, site);
    const union = deriveSelfContainingUnion(type, site, this);
    if (union) return union;
    // The result of a `toJSON` is not converted by its own `toJSON`, so its schema differs from the one elsewhere.
    const identity = `${getIdentity(type)}${site.isJson ? " as JSON" : ""}`;
    const open = this.#stack.find((each) => each.identity === identity);
    const defined = this.#defined.get(identity);
    if (open || defined) {
      if (open) open.recursive = true;
      this.#references++;
      return defined ?? createReference(this.#names.get(identity, type));
    }
    const key = name && isShareable(type) && !site.binding ? `${this.direction} ${identity}` : undefined;
    const cached = key === undefined ? undefined : this.cache.fragments.get(key);
    if (cached) {
      this.#fragments += cached.parts;
      return this.#fragments > MAX_FRAGMENTS ? this.#reportTooLarge(site) : cached.fragment;
    }
    if (this.#stack.filter((each) => each.symbol === symbol).length >= MAX_INSTANCES)
      return this.#reportEndless(type, site);

    const [before, first] = [this.#reports + this.#references, this.#fragments];
    const entry: OpenType = { identity, type, symbol, recursive: false };
    this.#stack.push(entry);
    const fragment = this.#applyRules(type, site);
    this.#stack.pop();
    this.#sendReports();
    if (fragment === UNSUPPORTED || fragment === NEVER) return fragment;
    if (entry.recursive) return this.#define(identity, type, fragment, site);
    if (key !== undefined && this.#reports + this.#references === before)
      this.cache.fragments.set(key, { fragment, parts: this.#fragments - first });
    return fragment;
  }

  /** Sends reports, except while an instance of a declaration is derived inside another one, which may be endless. */
  #sendReports(): void {
    if (new Set(this.#stack.map(({ symbol }) => symbol)).size < this.#stack.length) return;
    for (const send of this.#inside.splice(0)) send();
  }

  #applyRules(type: ts.Type, site: TypeSite): SchemaFragment {
    for (const rule of this.#rules) {
      const fragment = rule(type, site, this);
      if (!fragment) continue;
      if (fragment === UNSUPPORTED || fragment === NEVER) return fragment;
      return this.cache.types
        .getOwnComments(type)
        .reduce((documented, comment) => applyComment(documented, comment, type, site, this), fragment);
    }
    this.report("type-unresolved", site.node, {
      where: this.describeSite(site),
      type: this.formatType(type),
    });
    return UNSUPPORTED;
  }

  #define(identity: string, type: ts.Type, fragment: SchemaFragment, site: TypeSite): SchemaFragment {
    const name = this.#names.get(identity, type);
    const { default: fallback, ...schema } = fragment.schema;
    if (fallback !== undefined)
      this.report("constraint-default-does-not-fit", site.node, {
        where: this.describeSite(site),
        value: JSON.stringify(fallback),
        type: name,
        problem: "the type contains itself, so the default would contain another one, and so on",
        isRecursive: true,
      });
    this.defs[name] = schema;
    if (fragment.conversion) this.#conversions.set(name, fragment.conversion);
    const reference = createReference(name);
    if (type.isUnion()) this.#unions.push(type);
    this.#defined.set(identity, reference);
    return reference;
  }

  #reportEndless(type: ts.Type, site: TypeSite): SchemaFragment {
    this.#isHalted = true;
    // An endless type has the same problems at each level.
    this.#inside.length = 0;
    this.report("type-recursive-endless", site.node, {
      where: this.describeSite(site, 2),
      type: this.formatType(type),
    });
    return UNSUPPORTED;
  }

  #reportTooLarge(site: TypeSite): SchemaFragment {
    this.#isHalted = true;
    this.report("type-too-large", site.node, { where: this.describeSite(site, 0), limit: MAX_FRAGMENTS });
    return UNSUPPORTED;
  }
}
