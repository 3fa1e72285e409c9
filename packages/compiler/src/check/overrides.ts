import type { ClassMemberTypes, ParameterDeclaration } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ClassNode, Declaration, OwnerClass, ServerModel } from "../model.js";
import { getMemberKey, listBases } from "../read/decorated-members.js";
import { Node, type ts } from "../typescript/typescript.js";

const NO_OWNERS: ServerModel["classes"] = new Map();

const DECORATORS = { tool: "Tool", prompt: "Prompt", resource: "Resource" } as const;

/**
 * Reports members that override a served method although no request reaches them: the base class is served itself, so
 * clients call its own method.
 */
export function checkOverrides(
  model: ServerModel,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const reported = new Set<ts.Node>();
  for (const owner of model.classes.values()) {
    const inherited = listInherited(owner, model);
    if (inherited.length === 0) continue;
    const served = new Set(model.declarations.filter((each) => each.owner.node === owner.node).map(getKey));
    const members = listMembers(owner.node, model, checker);
    for (const declaration of inherited) {
      const override = members.get(getKey(declaration));
      if (!override || served.has(getKey(declaration)) || reported.has(override.compilerNode)) continue;
      if (isCalledOn(owner, declaration, model)) continue;
      reported.add(override.compilerNode);
      collector.createReport()(
        "handler-override-ignored",
        Node.hasName(override) ? override.getNameNode() : override,
        {
          className: findClassName(override) ?? owner.name,
          method: declaration.methodName,
          base: declaration.owner.name,
          kind: declaration.name.kind,
          name: declaration.name.name,
          decorator: DECORATORS[declaration.kind],
          isClassDecorated: declaration.isClassDecorated,
        },
      );
    }
  }
}

/** Lists the declarations of the served classes that a class extends, nearest first. */
function listInherited({ node }: OwnerClass, { declarations, classes }: ServerModel): Declaration[] {
  if (!node.getExtends()) return [];
  const [, ...bases] = listBases(node, NO_OWNERS);
  return bases
    .filter((base) => classes.has(base.compilerNode))
    .flatMap((base) => declarations.filter(({ owner }) => owner.node.compilerNode === base.compilerNode));
}

function getKey({ methodName, isStatic }: Declaration): string {
  return isStatic ? `static ${methodName}` : methodName;
}

type Member = ClassMemberTypes | ParameterDeclaration;

/** Lists the members of a class and of its bases that are not served themselves, by key. The nearest class determines the member. */
function listMembers(
  owner: ClassNode,
  { classes }: ServerModel,
  checker: ts.TypeChecker,
): Map<unknown, Member> {
  const members = new Map<unknown, Member>();
  for (const member of listBases(owner, classes).flatMap(getMembers)) {
    // Abstract and declared members do not exist at run time.
    if (Node.isAbstractable(member) && member.isAbstract()) continue;
    if (Node.isPropertyDeclaration(member) && member.hasDeclareKeyword()) continue;
    const key = getMemberKey(member, checker);
    if (!members.has(key)) members.set(key, member);
  }
  return members;
}

/** Returns the members of a class, including those that its constructor declares as parameters. */
function getMembers(node: ClassNode): Member[] {
  const parameters = node.getConstructors().flatMap((each) => each.getParameters());
  return [...parameters.filter((each) => each.isParameterProperty()), ...node.getMembers()];
}

/**
 * Returns whether the method of a base class is called on an instance of a class that extends it: `provide` contains one,
 * and none of the base class itself.
 */
function isCalledOn(
  { node }: OwnerClass,
  { owner, isStatic }: Declaration,
  { config }: ServerModel,
): boolean {
  const provided = config?.provided;
  if (isStatic || !provided || provided.has(owner.node.compilerNode)) return false;
  const extending = [...provided.values()].map((each) => listBases(each, NO_OWNERS).map(getCompilerNode));
  const first = extending.find((bases) => bases.includes(owner.node.compilerNode));
  return first?.includes(node.compilerNode) === true;
}

function getCompilerNode({ compilerNode }: Node): ts.Node {
  return compilerNode;
}

function findClassName(member: Member): string | undefined {
  const owner = member.getFirstAncestor(
    (each) => Node.isClassDeclaration(each) || Node.isClassExpression(each),
  );
  return owner?.getName();
}
