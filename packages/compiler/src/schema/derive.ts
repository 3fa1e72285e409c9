import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { ts } from "ts-morph";
import type { Report } from "../diagnostics/diagnostic.js";

/** What deriving needs to know besides the type. */
export interface DeriveContext {
  checker: ts.TypeChecker;
  report: Report;
  /** Inputs are closed objects (unknown members are mistakes); outputs are open (structural typing allows more). */
  direction: "input" | "output";
}

/** A schema with the plan that turns its JSON into the declared values (or, for outputs, back). */
export interface Derived {
  /** Self-contained: recursive types sit in its own `$defs`. */
  schema: JsonSchema;
  conversion?: Conversion;
  conversions?: Record<string, Conversion>;
}

/** Derives the schema of one type. */
export declare function deriveType(
  type: ts.Type,
  at: ts.Node,
  path: string[],
  context: DeriveContext,
): Derived | undefined;
