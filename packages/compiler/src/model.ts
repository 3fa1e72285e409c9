import type { Guard, KnownRateLimit, KnownScopes, Profile } from "@tenon/runtime/manifest";
import type { CallExpression, ClassDeclaration, ClassExpression, Decorator, Node } from "ts-morph";
import type { PlainConfig, PlainOptions } from "./declared-options.js";
import type { DeclarationName } from "./diagnostics/diagnostic.js";
import type { ts } from "./project/typescript.js";

/**
 * What the author declared, with the nodes it was read from. Lives inside the compiler only: nodes and types
 * are needed to derive schemas and to point at mistakes, and never leave.
 *
 * Here the words of ts-morph end: what schemas are derived from is given as the checker has it, since ts-morph has
 * no words for index signatures, the flags of tuple elements, the texts of template literals and mapped types.
 */
export interface ServerModel {
  declarations: Declaration[];
  /** `src/server.ts`, when it exports a configuration by default. */
  config?: ConfigDeclaration;
  /**
   * What declarations and configuration were read from, or what a diagnostic has been given for: decorators, and the
   * names of our functions. A decorator that is not among them would be forgotten without a word.
   */
  read: ReadonlySet<ts.Node>;
}

export type Declaration = ToolDeclaration | PromptDeclaration | ResourceDeclaration;

export interface DeclarationBase {
  name: DeclarationName;
  owner: OwnerClass;
  decorator: Decorator;
  /** The call of `Tool`, `Prompt` or `Resource`: the decorator's own, or the one in the function that makes it. */
  call: CallExpression;
  options: PlainOptions;
  /** The options that decide for each caller while the server runs. */
  guards: readonly Guard[];
  /** How often one caller may call. */
  rateLimit: KnownRateLimit | undefined;
  methodName: string;
  isStatic: boolean;
  /** The class is decorated, and not the method. */
  isClassForm: boolean;
  /** The decorated method, or in the class form the method named after the protocol's verb. */
  method: ts.MethodDeclaration;
  /** With the type arguments of generic base classes filled in. */
  signature: ts.Signature;
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
  uriNode: Node;
}

/** A class, be it declared or the value of a constant. */
export type ClassNode = ClassDeclaration | ClassExpression;

/** The exported class whose instance carries the handler. */
export interface OwnerClass {
  node: ClassNode;
  /** The class's own name; one that has none goes by the name of its export. */
  name: string;
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** `"default"` for a default export. */
  exportName: string;
  /** What goes before the names of its tools and prompts, with the decorators that say so. */
  prefixes: readonly Prefix[];
}

/** `@Tool({ prefix: "user_" })` on a class. */
export interface Prefix {
  kind: "tool" | "prompt";
  text: string;
  decorator: Decorator;
  call: CallExpression;
}

export interface ConfigDeclaration {
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** It exports more than itself. */
  hasExports?: boolean;
  /** Something may say who calls: `auth`, `http.principal` or `stdio.principal`. */
  hasCallers: boolean;
  /** Where `defineServer` is named. Absent when the default export is no call of it, for which there is a diagnostic. */
  nameNode?: ts.Node;
  /** Members of the configuration that are plain data. */
  plain: PlainConfig;
  profile?: Profile;
  /** Absent where `defineServer` has no `auth`. */
  auth?: AuthDeclaration;
  /** How often one caller may call, whatever it is. */
  rateLimit?: KnownRateLimit;
  /** Its `name` or `version` is known only as the server runs. */
  hasComputedName?: boolean;
  /** It has a `store`, or the source does not tell. */
  hasStore?: boolean;
  /** The classes of the instances in `provide`; undefined when the source does not tell. */
  provided?: ReadonlySet<ts.Node>;
}

/** What the source tells of `auth`. */
export interface AuthDeclaration {
  /** Absent where the source does not tell which there are. */
  scopes?: KnownScopes;
  /** It is made by `oauth`, whose type has lost the names of its scopes, or was given none. */
  hasAnyScope?: boolean;
}
