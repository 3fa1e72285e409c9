import type { Dialect } from "@tenon/runtime";
import { PROFILES, type Profile } from "@tenon/runtime/manifest";
import type { Expression } from "ts-morph";
import { Node, SymbolFlags, type ts } from "../typescript/typescript.js";
import { isOption, SERVER_OPTIONS, type PlainConfig } from "../declared-options.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { BuildOption, ClassNode, ConfigDeclaration } from "../model.js";
import { evaluateConstant } from "../typescript/constant.js";
import { getModulePath, type Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { identifiesCallers, readAuth, readStdioScopes } from "./auth.js";
import { findNameNode } from "./decorators.js";
import {
  findSpreadProperty,
  getElements,
  findMember,
  getMembers,
  findOrigin,
  isUndefined,
  type Member,
} from "./literals.js";
import { readServerRateLimit } from "./rate-limit.js";

const CONFIG_FILE = /^src\/server\.[cm]?tsx?$/;

/**
 * Reads the default export of `src/server.ts`. Plain members go into the manifest, so that `inspect` shows
 * them. The running server reads the rest.
 */
export function readConfig(
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ConfigDeclaration | undefined {
  const { checker, root } = project;
  const file = project.sourceFiles.find((each) => CONFIG_FILE.test(getModulePath(each, root)));
  const exports = file?.getExportedDeclarations();
  const [exported] = exports?.get("default") ?? [];
  if (!file || !exported || Node.isClassDeclaration(exported)) return undefined;
  const module = getModulePath(file, root);
  const hasExports = (exports?.size ?? 0) > 1;
  const expression = Node.isVariableDeclaration(exported) ? exported.getInitializer() : exported;
  const call = Node.isExpression(expression) ? findOrigin(expression) : undefined;
  if (!Node.isCallExpression(call) || !isDefineServer(call.getExpression(), runtime)) {
    collector.createReport()("config-not-define-server", expression ?? exported, { file: module });
    return { module, canIdentifyCallers: true, plain: {}, hasComputedName: true };
  }
  const [argument] = call.getArguments();
  const literal = Node.isExpression(argument) ? findOrigin(argument) : undefined;
  const nameNode = findNameNode(call.getExpression()).compilerNode;
  const auth = readAuth(call, runtime, checker);
  const identifiesHttpCallers = auth !== undefined || identifiesCallers(call, "http", checker);
  const canIdentifyCallers = identifiesHttpCallers || identifiesCallers(call, "stdio", checker);
  const members = Node.isObjectLiteralExpression(literal) ? getMembers(literal, checker) : undefined;
  const rateLimit = Node.isExpression(argument) ? readServerRateLimit(argument, members, checker) : undefined;
  if (!members)
    return {
      module,
      hasExports,
      identifiesHttpCallers,
      canIdentifyCallers,
      nameNode,
      plain: {},
      hasStore: argument !== undefined,
      ...(argument !== undefined && { notifier: "unknown" as const }),
      hasComputedName: argument !== undefined,
      ...(argument !== undefined && { unseenOptions: BUILD_OPTIONS }),
      ...(Node.isExpression(argument) && { argument }),
      ...(auth && { auth }),
      ...(rateLimit && { rateLimit }),
      ...readStdioScopes(call, checker),
    };
  const profile = readProfile(members, checker, collector);
  const dialects = readDialects(members, checker, collector);
  const provided = findProvided(members);
  const notifier = findMember("notifier", members);
  const plain = readPlainMembers(members, checker);
  const mayContainAny = members.some(isOpaqueSpread);
  const unseenOptions = BUILD_OPTIONS.filter((name) => {
    const member = findMember(name, members);
    return member ? maySpread(name, member) : mayContainAny;
  });
  return {
    module,
    hasExports,
    identifiesHttpCallers,
    canIdentifyCallers,
    nameNode,
    plain,
    hasComputedName: ["name", "version"].some((name) => {
      const member = findMember(name, members);
      return member !== undefined && !(member.name === name && name in plain);
    }),
    hasStore: findMember("store", members) !== undefined,
    ...(unseenOptions.length > 0 && { unseenOptions }),
    ...(notifier && { notifier: notifier.value ? findOrigin(notifier.value) : ("unknown" as const) }),
    ...(Node.isExpression(argument) && { argument }),
    ...(profile && { profile }),
    ...(dialects && { dialects }),
    ...(auth && { auth }),
    ...(rateLimit && { rateLimit }),
    ...readStdioScopes(call, checker),
    ...provided,
  };
}

function isDefineServer(callee: Expression, runtime: RuntimeSymbols): boolean {
  return runtime.getName(findNameNode(callee).getSymbol()?.compilerSymbol) === "defineServer";
}

const BUILD_OPTIONS: readonly BuildOption[] = ["profile", "dialects"];

/** Finds an option that only the build reads. The server checks a spread that may or may not contain it. */
function findBuildOption(name: BuildOption, members: readonly Member[]): Member | undefined {
  const member = findMember(name, members);
  return maySpread(name, member) || isUndefined(member?.value) ? undefined : member;
}

/** Returns whether a member is a spread that may or may not contain an option. */
function maySpread(name: BuildOption, member: Member | undefined): boolean {
  return member !== undefined && findSpreadProperty(name, member)?.isOptional() === true;
}

/** Returns whether a member is a spread whose type does not show which options it contains. */
function isOpaqueSpread({ node }: Member): boolean {
  if (!Node.isSpreadAssignment(node)) return false;
  const type = node.getExpression().getType();
  return type.isAny() || type.getStringIndexType() !== undefined;
}

function readProfile(
  members: readonly Member[],
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): Profile | undefined {
  const member = findBuildOption("profile", members);
  if (!member) return undefined;
  const { value, node } = member;
  const constant = value && evaluateConstant(value.compilerNode, checker);
  const profile = PROFILES.find((each) => each === constant?.value);
  if (!profile) collector.createReport()("config-profile-invalid", value ?? node, { profiles: PROFILES });
  return profile;
}

/** The dialects that the compiler knows. */
const DIALECTS: readonly Dialect[] = ["openai"];

function readDialects(
  members: readonly Member[],
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): ConfigDeclaration["dialects"] {
  const member = findBuildOption("dialects", members);
  if (!member) return undefined;
  const { value, node } = member;
  const names = value && evaluateConstant(value.compilerNode, checker)?.value;
  if (Array.isArray(names) && names.every((each) => DIALECTS.includes(each as Dialect)))
    return value && names.length > 0 ? { node: value, names: names as Dialect[] } : undefined;
  collector.createReport()("config-dialects-invalid", value ?? node, { dialects: DIALECTS });
  return undefined;
}

function readPlainMembers(members: readonly Member[], checker: ts.TypeChecker): PlainConfig {
  const plain = members.flatMap(({ name, value }) => {
    const constant = value && evaluateConstant(value.compilerNode, checker);
    const isPlain = name !== undefined && constant && isOption(name, constant.value, SERVER_OPTIONS);
    return isPlain ? [[name, constant.value]] : [];
  });
  return Object.fromEntries(plain) as PlainConfig;
}

/** Returns the classes of the instances in `provide`; nothing if the source does not show them. */
function findProvided(members: readonly Member[]): Pick<ConfigDeclaration, "provided" | "repeated"> {
  const member = findMember("provide", members);
  if (!member) return { provided: new Map() };
  const instances = member.value && getElements(member.value);
  if (!instances) return {};
  const provided = new Map<ts.Node, ClassNode>();
  const repeated: { instance: Expression; provides: ts.Node }[] = [];
  for (const instance of instances) {
    const symbol = instance.getType().getSymbol();
    const declaration = symbol?.hasFlags(SymbolFlags.Class) ? symbol.getValueDeclaration() : undefined;
    if (!Node.isClassDeclaration(declaration) && !Node.isClassExpression(declaration)) return {};
    const provides = declaration.compilerNode;
    if (provided.has(provides)) repeated.push({ instance, provides });
    provided.set(provides, declaration);
  }
  return { provided, repeated };
}
