import type { JsonValue, Profile } from "@tenon/runtime/manifest";
import type { ts } from "./project/typescript.js";
import type { DeclarationName } from "./diagnostics/diagnostic.js";

/**
 * What the author declared, with the nodes it was read from. Lives inside the compiler only: nodes and types
 * are needed to derive schemas and to point at mistakes, and never leave.
 */
export interface ServerModel {
  declarations: Declaration[];
  /** `src/server.ts`, when it exports a configuration by default. */
  config?: ConfigDeclaration;
}

export type Declaration = ToolDeclaration | PromptDeclaration | ResourceDeclaration;

export interface DeclarationBase {
  name: DeclarationName;
  owner: OwnerClass;
  /** The decorated method, or in the class form the method named after the protocol's verb. */
  method: ts.MethodDeclaration;
  methodName: string;
  isStatic: boolean;
  /** With the type arguments of generic base classes filled in. */
  signature: ts.Signature;
  /** The decorator, and its options as far as they are plain data. */
  decorator: ts.Decorator;
  options: PlainOptions;
  /** Where the description is looked for, nearest first. */
  documented: ts.Node[];
}

export interface ToolDeclaration extends DeclarationBase {
  kind: "tool";
}

export interface PromptDeclaration extends DeclarationBase {
  kind: "prompt";
}

export interface ResourceDeclaration extends DeclarationBase {
  kind: "resource";
  uri: string;
  /** The string in the source, to point at. */
  uriNode: ts.Node;
}

/** The exported class whose instance carries the handler. */
export interface OwnerClass {
  node: ts.ClassLikeDeclaration;
  symbol: ts.Symbol;
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** `"default"` for a default export. */
  exportName: string;
}

/** Decorator options that were plain data in the source; behaviour options are the runtime's. */
export type PlainOptions = Record<string, JsonValue>;

export interface ConfigDeclaration {
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** Members of the configuration that are plain data. */
  plain: PlainOptions;
  /** What `defineServer` is given; undefined when the source does not tell. */
  options?: ts.Expression;
  profile?: Profile;
  /** Classes of the instances in `provide`; undefined when the source does not tell. */
  provided?: Set<ts.Symbol>;
}
