import { getAliasedSymbol } from "../typescript/aliased-symbol.js";
import { ts } from "../typescript/typescript.js";
import { FRAMEWORKS, type View, type ViewContext } from "./view.js";

/** Checks the default export of a view, and determines how it is started. */
export function checkViewExport(view: View, { project, runtime, collector }: ViewContext): void {
  const { program, checker, root, options } = project;
  const [first] = view.tools;
  const report = collector.createReport(first?.name);
  const file = program.getSourceFile(`${root}/${view.path}`);
  if (file === undefined) {
    report("view-not-compiled", view.at, { path: view.path, isJavaScript: /\.[cm]?jsx?$/.test(view.path) });
    return;
  }
  const exported = checker.getSymbolAtLocation(file)?.exports?.get(ts.InternalSymbolName.Default);
  const declared = getAliasedSymbol(exported, checker);
  const declaration = declared?.declarations?.[0];
  const type = declared && checker.getTypeOfSymbolAtLocation(declared, file);
  const signatures = type?.getCallSignatures() ?? [];
  const [signature] = signatures;
  if (!declared || !declaration || !signature || signatures.length > 1) {
    report("view-export-invalid", declaration ?? view.at, {
      path: view.path,
      problem: declared === undefined ? "missing" : "not a function",
    });
    return;
  }
  const [props, app] = signature.parameters.map((each) => checker.getTypeOfSymbol(each));
  const isMount = app !== undefined || (props !== undefined && isElement(props));
  const name = findNameNode(declaration);
  if (isMount) view.kind = "mount";
  else {
    const framework = findFramework(file, options);
    const known = FRAMEWORKS.find((each) => each === framework);
    if (known === undefined) {
      report("view-framework-unknown", name, { path: view.path, framework });
      return;
    }
    view.framework = known;
    if (signature.getReturnType().getProperty("then"))
      report("view-export-invalid", name, { path: view.path, problem: "async" });
  }
  const shownType = isMount ? app : props;
  // JavaScript has no types, and a view may ignore the result.
  if (shownType === undefined || shownType.flags & ts.TypeFlags.Any) return;
  const member = shownType.getProperty(isMount ? "tools" : "tool");
  const isOurs = member !== undefined && runtime.getName(member) !== undefined;
  const shown = member && checker.getTypeOfSymbol(member);
  const accepted = shown && listTexts(isMount ? getElementType(shown, checker) : shown);
  for (const tool of view.tools) {
    if (isOurs && (accepted === undefined || accepted.includes(tool.name.name))) continue;
    collector.createReport(tool.name)(
      "view-props-mismatch",
      signature.parameters[isMount ? 1 : 0]?.valueDeclaration ?? name,
      {
        tool: tool.name.name,
        expected: writeExpectedType(view.tools, isMount ? "MountedApp" : "ViewProps"),
        ...(isOurs && accepted && { shown: accepted }),
      },
    );
  }
}

/** Returns the type for the tools that a view shows: for two tools of a class, `ViewProps<Weather, "forecast" | "climate">`. */
function writeExpectedType(tools: View["tools"], type: "MountedApp" | "ViewProps"): string {
  const methods = new Map<string, string[]>();
  for (const { isStatic, owner, methodName } of tools) {
    const name = `${isStatic ? "typeof " : ""}${owner.name}`;
    methods.set(name, [...(methods.get(name) ?? []), JSON.stringify(methodName)]);
  }
  return [...methods].map(([owner, names]) => `${type}<${owner}, ${names.join(" | ")}>`).join(" | ");
}

/** Returns whether a type is that of an HTML element. */
function isElement(type: ts.Type): boolean {
  return /^(?:HTML\w*|SVG\w*|)Element$/.test(type.symbol?.name ?? "");
}

/** Returns the package of the JSX runtime, from a comment in the file or from tsconfig.json. */
function findFramework(file: ts.SourceFile, { jsxImportSource = "react" }: ts.CompilerOptions): string {
  const [, pragma = jsxImportSource] = /^\s*\/\*\*?\s*@jsxImportSource\s+(\S+)/m.exec(file.text) ?? [];
  return pragma;
}

/** Returns the values of a union of string literals; undefined for `string`, before the project is first compiled. */
function listTexts(type: ts.Type): string[] | undefined {
  const members = type.isUnion() ? type.types : [type];
  return members.every((each) => each.isStringLiteral())
    ? members.map((each) => (each as ts.StringLiteralType).value)
    : undefined;
}

function getElementType(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  return checker.getIndexTypeOfType(checker.getNonNullableType(type), ts.IndexKind.Number) ?? type;
}

function findNameNode(declaration: ts.Declaration): ts.Node {
  return ts.getNameOfDeclaration(declaration) ?? declaration;
}
