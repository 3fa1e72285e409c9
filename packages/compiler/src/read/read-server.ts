import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import type { ts } from "../project/typescript.js";
import { reportCompiledBases } from "./compiled-bases.js";
import { readConfig } from "./config.js";
import { readClassForm, readMember, type Reader } from "./declaration.js";
import { checkPrefixes, readPrefixes } from "./prefixes.js";
import { decoratedMembers } from "./decorated-members.js";
import type { FoundDecorator } from "./decorators.js";
import { servedClasses } from "./served-classes.js";

/**
 * Finds everything the project serves: each exported, concrete class under `src/` that is decorated or has a
 * decorated method, its own or inherited from a base that is not served itself.
 */
export function readServer(
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ServerModel {
  const read = new Set<ts.Node>();
  const markRead = ({ node, nameNode }: FoundDecorator): void => {
    read.add(node.compilerNode).add(nameNode.compilerNode);
  };
  const reader: Reader = { checker: project.checker, runtime, collector, markRead };
  const owners = servedClasses(project);
  const declarations: Declaration[] = [];
  for (const served of owners.values()) {
    const owner = { ...served, prefixes: readPrefixes(served, reader) };
    declarations.push(...readClassForm(owner, reader));
    const members = decoratedMembers(owner.node, owners, runtime, markRead);
    checkPrefixes(owner.prefixes, members, reader);
    for (const member of members) declarations.push(...readMember(owner, member, reader));
    reportCompiledBases(owner, owners, runtime, collector.reporter());
  }
  const config = readConfig(project, runtime, collector);
  if (config?.nameNode) read.add(config.nameNode);
  return { declarations, read, ...(config && { config }) };
}
