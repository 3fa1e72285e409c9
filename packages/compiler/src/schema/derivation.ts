import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../project/typescript.js";
import type { TypeBindings } from "../project/written-type.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { DerivationCache } from "./derivation-cache.js";

/** Where a type is used: in the author's source, and inside the derived value. */
export interface TypeSite {
  /** What a diagnostic points at: the nearest node in the author's own files. */
  node: ts.Node;
  /** The type as written, where the source has it; has the order, alias names and comments that types lose. */
  typeNode?: ts.TypeNode | undefined;
  /** What type parameters in the node, and in nodes inside the type, stand for. */
  bindings?: TypeBindings | undefined;
  /** The site this one is inside of. */
  outer?: TypeSite | undefined;
  /**
   * The step from `outer`: a property name, `[]` for items, `[0]` for tuple elements, `[key]` for index
   * signatures; absent where the value is the same one.
   */
  segment?: string | undefined;
  /** The destructuring pattern that receives the value: its initialisers are defaults. */
  binding?: ts.ObjectBindingPattern | undefined;
  /** A member of a union may have no values; the union then does without it. */
  inUnion?: boolean | undefined;
  /** The value is what a `toJSON` gave, which JSON does not ask once more. */
  isJson?: boolean | undefined;
}

/** Inputs are closed objects (unknown members are mistakes); outputs are open (structural typing allows more). */
export type Direction = "input" | "output";

/** The state of deriving one type or one signature: which types are open, which are defined, and where diagnostics go. */
export interface Derivation {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly cache: DerivationCache;
  readonly report: Report;
  /** The recursive types defined so far: what `$defs` of the result will hold. */
  readonly defs: Record<string, JsonSchema>;
  /** How diagnostics call a site, such as "`since` of tool `forecast`". */
  where(site: TypeSite): string;
  /** A type as diagnostics print it: on one line, and cut where it grows long. */
  show(type: ts.Type): string;
  /**
   * The members of a union, with those as one that make up a recursive union: the checker makes one flat union of
   * `Tree | null`, where `Tree` is a union that refers to itself.
   */
  regroupUnion(members: readonly ts.Type[]): readonly ts.Type[];
  /** Runs the rules. `UNSUPPORTED` when a diagnostic was given, `NEVER` when no value exists. */
  derive(type: ts.Type, site: TypeSite): SchemaFragment;
}

/** A rule makes a fragment of the types it knows and leaves all others (undefined) to the rules after it. */
export type TypeRule = (type: ts.Type, site: TypeSite, derivation: Derivation) => SchemaFragment | undefined;
