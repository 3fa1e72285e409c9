import { findNearestName } from "@tenon/runtime/nearest-name";
import type { Manifest, SkillEntry } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ConfigDeclaration } from "../model.js";
import { findMember, findOrigin, getElements, getMembers, type Member } from "../read/literals.js";
import { evaluateConstant } from "../typescript/constant.js";
import { Node, type ts } from "../typescript/typescript.js";

/**
 * Adds the options in `skills` of `defineServer`, as far as the source shows them, to the entries of skills, for reviews
 * of changes. Reports options of skills that do not exist, and scopes that no caller can have. The running server checks
 * the rest when it starts.
 *
 * @param paths the paths of all skills, including those with errors
 */
export function addSkillOptions(
  manifest: Manifest,
  paths: readonly string[],
  config: ConfigDeclaration | undefined,
  { checker, collector }: { checker: ts.TypeChecker; collector: DiagnosticCollector },
): Manifest {
  const options = readMembers(config?.argument, "skills", checker);
  const report = collector.createReport();
  const declared = new Map<string, Pick<SkillEntry, "scopes" | "guards">>();
  for (const { name, value, node } of options) {
    if (name === undefined) continue;
    if (!paths.includes(name))
      report("skill-options-unknown", node, { name, nearest: findNearestName(name, paths) });
    const members = getLiteralMembers(value, checker);
    const scopes = findMember("scopes", members)?.value;
    const known = config?.auth?.scopes && Object.keys(config.auth.scopes);
    const names = (scopes && getElements(scopes))?.flatMap((element) => {
      const scope = evaluateConstant(element.compilerNode, checker)?.value;
      if (typeof scope !== "string") return [];
      if (known && !known.includes(scope))
        report("scope-unknown", element, { scope, nearest: findNearestName(scope, known), known });
      return scope;
    });
    const [scope] = names ?? [];
    if (scope !== undefined && config?.canIdentifyCallers !== true)
      report("scopes-without-auth", scopes ?? node, { scope, isConfigured: true });
    declared.set(name, {
      ...(names && names.length > 0 && { scopes: names }),
      ...(findMember("enabled", members) && { guards: ["enabled"] }),
    });
  }
  const { skills } = manifest;
  if (declared.size === 0 || skills === undefined) return manifest;
  return { ...manifest, skills: skills.map((each) => ({ ...each, ...declared.get(each.path) })) };
}

function readMembers(object: Member["value"], name: string, checker: ts.TypeChecker): Member[] {
  return getLiteralMembers(findMember(name, getLiteralMembers(object, checker))?.value, checker);
}

function getLiteralMembers(value: Member["value"], checker: ts.TypeChecker): Member[] {
  const literal = value && findOrigin(value);
  return Node.isObjectLiteralExpression(literal) ? getMembers(literal, checker) : [];
}
