import { PROFILES, type Profile } from "@tenon/runtime/manifest";
import { Node, SymbolFlags, type Expression } from "ts-morph";
import { isOption, SERVER_OPTIONS, type PlainConfig } from "../declared-options.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ConfigDeclaration } from "../model.js";
import { constantValue } from "../project/constant.js";
import { modulePath, type Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { namesCallers, readAuth } from "./auth.js";
import { nameNodeOf } from "./decorators.js";
import { broughtBySpread, elementsOf, memberNamed, membersOf, originOf, type Member } from "./literals.js";
import { serverRateLimit } from "./rate-limit.js";

const CONFIG_FILE = /^src\/server\.[cm]?tsx?$/;

/**
 * Reads the default export of `src/server.ts`. Plain members go into the manifest so that `inspect` shows them;
 * the rest is read by the running server.
 */
export function readConfig(
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ConfigDeclaration | undefined {
  const { checker, root } = project;
  const file = project.sourceFiles.find((each) => CONFIG_FILE.test(modulePath(each, root)));
  const exports = file?.getExportedDeclarations();
  const [exported] = exports?.get("default") ?? [];
  if (!file || !exported || Node.isClassDeclaration(exported)) return undefined;
  const module = modulePath(file, root);
  const hasExports = (exports?.size ?? 0) > 1;
  const expression = Node.isVariableDeclaration(exported) ? exported.getInitializer() : exported;
  const call = Node.isExpression(expression) ? originOf(expression) : undefined;
  if (!Node.isCallExpression(call) || !isDefineServer(call.getExpression(), runtime)) {
    collector.reporter()("config-not-define-server", expression ?? exported, { file: module });
    return { module, hasCallers: true, plain: {}, hasComputedName: true };
  }
  const [argument] = call.getArguments();
  const literal = Node.isExpression(argument) ? originOf(argument) : undefined;
  const nameNode = nameNodeOf(call.getExpression()).compilerNode;
  const auth = readAuth(call, runtime, checker);
  const hasCallers = auth !== undefined || namesCallers(call, checker);
  const members = Node.isObjectLiteralExpression(literal) ? membersOf(literal, checker) : undefined;
  const rateLimit = Node.isExpression(argument) ? serverRateLimit(argument, members, checker) : undefined;
  if (!members)
    return {
      module,
      hasExports,
      hasCallers,
      nameNode,
      plain: {},
      hasStore: argument !== undefined,
      hasComputedName: argument !== undefined,
      ...(auth && { auth }),
      ...(rateLimit && { rateLimit }),
    };
  const profile = readProfile(members, checker, collector);
  const provided = providedClasses(members);
  const plain = plainMembers(members, checker);
  return {
    module,
    hasExports,
    hasCallers,
    nameNode,
    plain,
    hasComputedName: ["name", "version"].some((name) => {
      const member = memberNamed(name, members);
      return member !== undefined && !(member.name === name && name in plain);
    }),
    hasStore: memberNamed("store", members) !== undefined,
    ...(profile && { profile }),
    ...(auth && { auth }),
    ...(rateLimit && { rateLimit }),
    ...(provided && { provided }),
  };
}

function isDefineServer(callee: Expression, runtime: RuntimeSymbols): boolean {
  return runtime.nameOf(nameNodeOf(callee).getSymbol()?.compilerSymbol) === "defineServer";
}

function readProfile(
  members: readonly Member[],
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): Profile | undefined {
  const member = memberNamed("profile", members);
  // Of a spread it may be unknown whether it has one.
  if (!member || broughtBySpread("profile", member)?.isOptional()) return undefined;
  const { value, node } = member;
  const constant = value && constantValue(value.compilerNode, checker);
  const profile = PROFILES.find((each) => each === constant?.value);
  if (!profile) collector.reporter()("config-profile-invalid", value ?? node, { profiles: PROFILES });
  return profile;
}

function plainMembers(members: readonly Member[], checker: ts.TypeChecker): PlainConfig {
  const plain = members.flatMap(({ name, value }) => {
    const constant = value && constantValue(value.compilerNode, checker);
    const isPlain = name !== undefined && constant && isOption(name, constant.value, SERVER_OPTIONS);
    return isPlain ? [[name, constant.value]] : [];
  });
  return Object.fromEntries(plain) as PlainConfig;
}

/** The classes of what `provide` holds, element by element; undefined when the source does not tell. */
function providedClasses(members: readonly Member[]): Set<ts.Node> | undefined {
  const member = memberNamed("provide", members);
  if (!member) return new Set();
  const instances = member.value && elementsOf(member.value);
  if (!instances) return undefined;
  const classes = new Set<ts.Node>();
  for (const instance of instances) {
    const symbol = instance.getType().getSymbol();
    const declaration = symbol?.hasFlags(SymbolFlags.Class) ? symbol.getValueDeclaration() : undefined;
    if (!declaration) return undefined;
    classes.add(declaration.compilerNode);
  }
  return classes;
}
