import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import type { ts } from "../typescript/typescript.js";
import { reportCompiledBases } from "./compiled-bases.js";
import { readConfig } from "./config.js";
import { readDecoratedClass, readMember, type Reader } from "./declaration.js";
import { checkPrefixes, readPrefixes } from "./prefixes.js";
import { findDecoratedMembers } from "./decorated-members.js";
import type { FoundDecorator } from "./decorators.js";
import { findServedClasses } from "./served-classes.js";

/** The context of reading and checking. */
export interface ReadContext {
  project: Project;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
}

/**
 * Finds everything that a project serves: each exported, concrete class under `src/` that is decorated, or declares or
 * inherits a decorated method. Methods of a base that is served itself belong to that base.
 */
export function readServer({ project, runtime, collector }: ReadContext): ServerModel {
  const read = new Set<ts.Node>();
  const markRead = ({ node, nameNode }: FoundDecorator): void => {
    read.add(node.compilerNode).add(nameNode.compilerNode);
  };
  const reader: Reader = { checker: project.checker, runtime, collector, markRead };
  const owners = findServedClasses(project);
  const declarations: Declaration[] = [];
  for (const served of owners.values()) {
    const owner = { ...served, prefixes: readPrefixes(served, reader) };
    declarations.push(...readDecoratedClass(owner, reader));
    const members = findDecoratedMembers(owner.node, owners, reader, markRead);
    checkPrefixes(owner.prefixes, members, reader);
    for (const member of members) declarations.push(...readMember(owner, member, reader));
    reportCompiledBases(owner, owners, runtime, collector.reporter());
  }
  const config = readConfig(project, runtime, collector);
  if (config?.nameNode) read.add(config.nameNode);
  return { declarations, classes: owners, read, ...(config && { config }) };
}
