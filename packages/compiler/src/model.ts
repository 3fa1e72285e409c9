import type { Dialect } from "@tenon/runtime";
import type {
  DeclaredCallbacks,
  DeclaredRateLimit,
  DeclaredScopes,
  Guard,
  Profile,
} from "@tenon/runtime/manifest";
import type {
  CallExpression,
  ClassDeclaration,
  ClassExpression,
  Decorator,
  Expression,
  Node,
} from "ts-morph";
import type { PlainConfig, PlainOptions } from "./declared-options.js";
import type { DeclarationName } from "./diagnostics/diagnostic.js";
import type { ts } from "./typescript/typescript.js";

/**
 * The author's declarations, with the nodes from which they were read. It never leaves the compiler: nodes and types are
 * needed to derive schemas and to report problems.
 *
 * Methods and signatures are TypeScript's own nodes and types, because schemas need parts that ts-morph does not wrap:
 * index signatures, flags of tuple elements, strings of template literals, and mapped types.
 */
export interface ServerModel {
  declarations: Declaration[];
  /** The exported classes that can be instantiated, by TypeScript's own nodes. Not all of them serve something. */
  classes: ReadonlyMap<ts.Node, OwnerClass>;
  /** The configuration that `src/server.ts` exports by default. */
  config?: ConfigDeclaration;
  /**
   * Decorators and names of the runtime's functions that were read or reported. A decorator that is missing here would
   * be ignored silently, so it is reported later.
   */
  read: ReadonlySet<ts.Node>;
}

export type Declaration = ToolDeclaration | PromptDeclaration | ResourceDeclaration;

/** The common members of declarations. */
export interface DeclarationBase {
  name: DeclarationName;
  owner: OwnerClass;
  decorator: Decorator;
  /** The call to `Tool`, `Prompt`, or `Resource`: the decorator's own, or the one in the function that returns it. */
  call: CallExpression;
  options: PlainOptions;
  /** Options that the server evaluates for each caller at run time. */
  guards: readonly Guard[];
  /** Callbacks that change what clients see. */
  callbacks: DeclaredCallbacks;
  /** Rate limit for each caller. */
  rateLimit: DeclaredRateLimit | undefined;
  methodName: string;
  isStatic: boolean;
  /** Whether the class is decorated instead of the method. */
  isClassDecorated: boolean;
  /** The decorated method; for a decorated class, the method named after the protocol's verb. */
  method: ts.MethodDeclaration;
  /** The signature, with the type arguments of generic base classes filled in. */
  signature: ts.Signature;
  /** Nodes whose comments may be the description, nearest first. */
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
  /** The node of the URI, for diagnostics. */
  uriNode: Node;
}

/** A class declaration or expression. */
export type ClassNode = ClassDeclaration | ClassExpression;

/** The exported class that has the handler. */
export interface OwnerClass {
  node: ClassNode;
  /** The name of the class, or of its export if it has none. */
  name: string;
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** `"default"` for a default export. */
  exportName: string;
  /** Prefixes for the names of its tools and prompts. */
  prefixes: readonly Prefix[];
}

/** A prefix that a class sets with `@Tool({ prefix: "user_" })`. */
export interface Prefix {
  kind: "tool" | "prompt";
  text: string;
  decorator: Decorator;
  call: CallExpression;
}

/** The configuration of a server. */
export interface ConfigDeclaration {
  /** Relative to the project folder, with forward slashes. */
  module: string;
  /** Whether the module has named exports. */
  hasExports?: boolean;
  /** Whether `auth` or `http.principal` may identify the caller. */
  identifiesHttpCallers?: boolean;
  /** Whether `auth`, `http.principal`, or `stdio.principal` may identify the caller. */
  canIdentifyCallers: boolean;
  /** The scopes of the caller over stdio. Absent if `stdio` is not configured. */
  stdioScopes?: "none" | "unknown";
  /** The name `defineServer` in its call. Absent if the default export does not call it, which is reported. */
  nameNode?: ts.Node;
  /** The argument of `defineServer`. */
  argument?: Expression;
  /** Members of the configuration that are plain data. */
  plain: PlainConfig;
  profile?: Profile;
  /** The option in the source, and the dialects. Absent if there is none. */
  dialects?: { node: Node; names: readonly Dialect[] };
  /** Absent if `defineServer` has no `auth`. */
  auth?: AuthDeclaration;
  /** Rate limit for each caller, over all methods. */
  rateLimit?: DeclaredRateLimit;
  /** Options that only the build reads, and that the configuration may have although the source does not show them. */
  unseenOptions?: readonly BuildOption[];
  /** Whether `name` or `version` is known only at run time. */
  hasComputedName?: boolean;
  /** Whether it has a `store`, or may have one. */
  hasStore?: boolean;
  /** The origin of its `notifier`; `"unknown"` if the source does not show it, and absent if there is none. */
  notifier?: Expression | "unknown";
  /** Classes of the instances in `provide`, in order; undefined if the source does not show them. */
  provided?: ReadonlyMap<ts.Node, ClassNode>;
  /** The instances in `provide` that follow another instance of the same class, with that class. */
  repeated?: readonly { readonly instance: Expression; readonly provides: ts.Node }[];
}

/** An option of `defineServer` that only the build reads. */
export type BuildOption = "profile" | "dialects";

/** The `auth` of a configuration. */
export interface AuthDeclaration {
  /** Whether `auth` may be undefined when the server runs. */
  isConditional?: boolean;
  /** Whether `auth` is the result of `oauth`. */
  isOAuth?: boolean;
  /** Whether `Context.exchange` fails, because `auth` authenticates callers without tokens or has no `exchange`. */
  lacksExchange?: boolean;
  /** The authorization servers. Absent if the source does not show them. */
  issuers?: string[];
  /** Absent if the source does not show the scopes. */
  scopes?: DeclaredScopes;
  /** Whether its type allows any scope name. */
  allowsAnyScope?: boolean;
}
