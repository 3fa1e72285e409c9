import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../project/typescript.js";
import type { DeclarationName, Report } from "../diagnostics/diagnostic.js";
import { aliasComments, ownComments } from "../jsdoc/member-comments.js";
import { settleConversions } from "../conversions/recursive-conversions.js";
import { applyComment } from "./constraints/apply-comment.js";
import { targetOf, withDefs } from "../json-schema/definitions.js";
import { NEVER, REFUSED, type Part } from "../json-schema/fragment.js";
import { type Derivation, type Direction, type Place, type Rule } from "./derivation.js";
import { createDerivationCache, type DerivationCache } from "./derivation-cache.js";
import { identityOf, onlyPresent, pathOf, presentMembers, trustedNode, withTypeNode } from "./type-sites.js";
import { enclosingAlias, isShareable, namingSymbol, Names, referenceTo } from "./families/references.js";

/** What deriving needs to know besides the type. */
export interface DeriveContext {
  checker: ts.TypeChecker;
  report: Report;
  direction: Direction;
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
const MOST_PARTS = 20_000;
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
  readonly #context: DeriveContext;
  readonly #rules: readonly Rule[];
  readonly #names: Names;
  /** The unions among the recursive types that are whole. */
  readonly #unions: ts.UnionType[] = [];
  /** Recursive types that are whole, by identity. */
  readonly #defined = new Map<string, Part>();
  readonly #conversions = new Map<string, Conversion>();
  readonly #stack: OpenType[] = [];
  #parts = 0;
  /** Set when there is no point in going on. */
  #halted = false;
  #level = 0;
  #reports = 0;
  #references = 0;

  constructor(context: DeriveContext, rules: readonly Rule[]) {
    this.checker = context.checker;
    this.direction = context.direction;
    this.cache = context.cache ?? createDerivationCache(context.checker);
    this.report = (code, at, parameters) => {
      this.#reports++;
      context.report(code, at, parameters);
    };
    this.#names = new Names(context.checker);
    this.#context = context;
    this.#rules = rules;
  }

  where(place: Place, depth = Infinity): string {
    const path = pathOf(place).slice(0, depth);
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
    // JSON has no `undefined`: who may leave a value out reads of the value.
    const shown = this.checker.typeToString(onlyPresent(type));
    const text = shown.replaceAll(/\s+/g, " ").replace(/ \| undefined$/, "");
    return text.length > LONGEST_TYPE ? `${text.slice(0, LONGEST_TYPE)}…` : text;
  }

  derive(type: ts.Type, place: Place): Part {
    if (this.#halted) return REFUSED;
    if (++this.#parts > MOST_PARTS) return this.#tooLarge(place);
    const present = onlyPresent(type);
    if (this.#level >= MOST_LEVELS) return this.#endless(present, place);
    const trusted = withTypeNode(place, trustedNode(place.typeNode, present, this));
    this.#level++;
    const part = this.#deriveNamed(present, trusted);
    this.#level--;
    return aliasComments(present, trusted.typeNode, this.cache.comments).reduce(
      (documented, comment) => applyComment(documented, comment, present, trusted, this),
      part,
    );
  }

  /** Puts definitions and conversions beside the part; undefined when it was refused or has no values. */
  close(part: Part, type: ts.Type, place: Place): Derived | undefined {
    if (part === REFUSED) return undefined;
    if (part === NEVER) {
      this.report("type-never", place.node, {
        where: this.where(place),
        type: this.show(type),
      });
      return undefined;
    }
    return {
      schema: withDefs(this.#expanded(part.schema), this.defs),
      ...settleConversions(part.conversion, this.#conversions, this.defs),
    };
  }

  /** A root must not be a reference: it is a copy of the definition instead. */
  #expanded(schema: JsonSchema): JsonSchema {
    const { $ref: _, ...rest } = schema;
    const target = targetOf(schema, this.defs);
    return target ? { ...target, ...rest } : schema;
  }

  together(members: readonly ts.Type[]): readonly ts.Type[] {
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

  /** Types with a name are watched for recursion, and remembered when they are whole in themselves. */
  #deriveNamed(type: ts.Type, place: Place): Part {
    const name = namingSymbol(type);
    const symbol = name ?? enclosingAlias(type, this.checker);
    if (!symbol) return this.#applyRules(type, place);
    const identity = identityOf(type);
    const open = this.#stack.find((each) => each.identity === identity);
    const defined = this.#defined.get(identity);
    if (open || defined) {
      if (open) open.recursive = true;
      this.#references++;
      return defined ?? referenceTo(this.#names.of(identity, type));
    }
    const key = name && isShareable(type) && !place.binding ? `${this.direction} ${identity}` : undefined;
    const remembered = key === undefined ? undefined : this.cache.parts.get(key);
    if (remembered) return remembered;
    if (this.#stack.filter((each) => each.symbol === symbol).length >= MOST_INSTANCES)
      return this.#endless(type, place);

    const before = this.#reports + this.#references;
    const entry: OpenType = { identity, type, symbol, recursive: false };
    this.#stack.push(entry);
    const part = this.#applyRules(type, place);
    this.#stack.pop();
    if (part === REFUSED || part === NEVER) return part;
    if (entry.recursive) return this.#define(identity, type, part);
    if (key !== undefined && this.#reports + this.#references === before) this.cache.parts.set(key, part);
    return part;
  }

  #applyRules(type: ts.Type, place: Place): Part {
    for (const rule of this.#rules) {
      const part = rule(type, place, this);
      if (!part) continue;
      if (part === REFUSED || part === NEVER) return part;
      return ownComments(type, this.cache.comments).reduce(
        (documented, comment) => applyComment(documented, comment, type, place, this),
        part,
      );
    }
    this.report("type-unresolved", place.node, {
      where: this.where(place),
      type: this.show(type),
    });
    return REFUSED;
  }

  #define(identity: string, type: ts.Type, part: Part): Part {
    const name = this.#names.of(identity, type);
    this.defs[name] = part.schema;
    if (part.conversion) this.#conversions.set(name, part.conversion);
    const reference = referenceTo(name);
    if (type.isUnion()) this.#unions.push(type);
    this.#defined.set(identity, reference);
    return reference;
  }

  #endless(type: ts.Type, place: Place): Part {
    this.#halted = true;
    this.report("type-recursive-endless", place.node, { where: this.where(place, 2), type: this.show(type) });
    return REFUSED;
  }

  #tooLarge(place: Place): Part {
    this.#halted = true;
    this.report("type-too-large", place.node, { where: this.where(place, 0), limit: MOST_PARTS });
    return REFUSED;
  }
}

/** Whether a union is part of another, of more members. */
function isWithin(union: ts.UnionType, members: readonly ts.Type[]): boolean {
  const present = presentMembers(union);
  return present.length < members.length && present.every((member) => members.includes(member));
}
