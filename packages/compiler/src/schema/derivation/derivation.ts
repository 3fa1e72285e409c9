import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "../../typescript/typescript.js";
import type { TypeBindings, WrittenType } from "../../syntax/type-syntax.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import type { DeclarationName, Report } from "../../diagnostics/diagnostic.js";
import type { DerivationCache } from "./derivation-cache.js";

/** The location where a type is used: in the author's source, and inside the derived value. */
export interface TypeSite {
  /** The node that diagnostics point at: the nearest one in the author's own files. */
  node: ts.Node;
  /** The type as written, if the source has it. It has the order, alias names, and comments that types lose. */
  written?: WrittenType | undefined;
  /** Declarations whose comments are already applied to the value, such as the property that holds it. */
  documented?: readonly ts.Node[] | undefined;
  /** The enclosing site. */
  outer?: TypeSite | undefined;
  /**
   * The step from `outer`: a property name, `[]` for items, `[0]` for tuple elements, `[key]` for index signatures.
   * Absent if the value is the same as that of `outer`.
   */
  segment?: string | undefined;
  /** The destructuring pattern that receives the value: its initializers are defaults. */
  binding?: ts.ObjectBindingPattern | undefined;
  /** Whether the value is a member of a union. If the member has no values, the union omits it. */
  inUnion?: boolean | undefined;
  /** Whether the value is the result of a `toJSON`, to which JSON does not apply `toJSON` again. */
  isJson?: boolean | undefined;
}

/** Inputs are closed objects (unknown members are mistakes); outputs are open (structural typing allows more). */
export type Direction = "input" | "output";

/** The state of deriving one type or signature: open types, definitions, and diagnostics. */
export interface Derivation {
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  /** The declaration whose types are derived. */
  readonly subject: DeclarationName | undefined;
  readonly cache: DerivationCache;
  /** The type arguments that type parameters have outside the derived types. */
  readonly bindings: TypeBindings;
  readonly report: Report;
  /** The recursive types defined so far, for the `$defs` of the result. */
  readonly defs: Record<string, JsonSchema>;
  /** Describes a site for diagnostics, such as "`since` of tool `forecast`". */
  describeSite(site: TypeSite): string;
  /** Formats a type for diagnostics: on one line, and truncated if it is long. */
  formatType(type: ts.Type): string;
  /**
   * Returns the members of a union, with the members of a recursive union combined into one. The checker flattens `Tree
   * | null`, even if `Tree` is a union that refers to itself.
   */
  regroupUnion(members: readonly ts.Type[]): readonly ts.Type[];
  /** Applies the rules. Returns `UNSUPPORTED` after a diagnostic, and `NEVER` if no value exists. */
  derive(type: ts.Type, site: TypeSite): SchemaFragment;
}

/** A rule that returns a fragment for the types it handles, and undefined for all others. */
export type TypeRule = (type: ts.Type, site: TypeSite, derivation: Derivation) => SchemaFragment | undefined;
