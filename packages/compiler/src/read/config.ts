import { PROFILES, type Profile } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ConfigDeclaration, PlainOptions } from "../model.js";
import type { Project } from "../project/project.js";
import { constantValue, propertyKey, unwrapped } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

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
  const file = project.sourceFiles.find((each) => CONFIG_FILE.test(each.fileName.slice(root.length + 1)));
  const moduleSymbol = file && checker.getSymbolAtLocation(file);
  const exported =
    moduleSymbol && checker.getExportsOfModule(moduleSymbol).find((each) => each.name === "default");
  if (!file || !exported) return undefined;
  const module = file.fileName.slice(root.length + 1);
  const expression = expressionOf(exported, checker);
  if (!expression) return { module, plain: {} };

  const call = ts.isCallExpression(expression) ? expression : undefined;
  const isDefineServer =
    call && runtime.nameOf(checker.getSymbolAtLocation(call.expression)) === "defineServer";
  if (!isDefineServer) {
    collector.reporter()("config-not-define-server", expression, { file: module });
    return { module, plain: {} };
  }
  const [options] = call.arguments;
  const literal = options && unwrapped(options);
  if (!literal || !ts.isObjectLiteralExpression(literal)) {
    return { module, plain: {}, ...(options && { options }) };
  }
  const provided = providedClasses(literal, checker);
  const profile = readProfile(literal, checker, collector);
  return {
    module,
    plain: plainMembers(literal, checker),
    options: literal,
    ...(profile && { profile }),
    ...(provided && { provided }),
  };
}

function readProfile(
  literal: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): Profile | undefined {
  const property = literal.properties.find((each) => each.name?.getText() === "profile");
  if (!property) return undefined;
  const written = ts.isPropertyAssignment(property) ? property.initializer : undefined;
  const value = written && constantValue(written, checker)?.value;
  const profile = PROFILES.find((each) => each === value);
  if (!profile) collector.reporter()("config-profile-invalid", written ?? property, { profiles: PROFILES });
  return profile;
}

/** The expression behind `export default`, through one variable. */
function expressionOf(exported: ts.Symbol, checker: ts.TypeChecker): ts.Expression | undefined {
  const declaration = exported.declarations?.[0];
  if (!declaration || !ts.isExportAssignment(declaration)) return undefined;
  const expression = unwrapped(declaration.expression);
  if (!ts.isIdentifier(expression)) return expression;
  const variable = checker.getSymbolAtLocation(expression)?.valueDeclaration;
  if (!variable || !ts.isVariableDeclaration(variable) || !variable.initializer) return undefined;
  return unwrapped(variable.initializer);
}

function plainMembers(literal: ts.ObjectLiteralExpression, checker: ts.TypeChecker): PlainOptions {
  const plain: PlainOptions = {};
  for (const property of literal.properties) {
    if (!ts.isPropertyAssignment(property)) continue;
    const key = propertyKey(property.name, checker);
    const found = constantValue(property.initializer, checker);
    if (key !== undefined && found) plain[key] = found.value;
  }
  return plain;
}

/** The classes of what `provide` holds, element by element; undefined when it is not an array literal of instances. */
function providedClasses(
  literal: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
): Set<ts.Symbol> | undefined {
  const property = literal.properties.find((each) => each.name?.getText() === "provide");
  if (!property) return new Set();
  const list = ts.isPropertyAssignment(property) ? unwrapped(property.initializer) : undefined;
  if (!list || !ts.isArrayLiteralExpression(list)) return undefined;
  const classes = new Set<ts.Symbol>();
  for (const element of list.elements) {
    const symbol = checker.getTypeAtLocation(element).getSymbol();
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Class)) return undefined;
    classes.add(symbol);
  }
  return classes;
}
