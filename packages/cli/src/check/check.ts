import { checkClients, compile, type Compilation } from "@tenon/compiler";
import { familiesFor } from "@tenon/compiler/clients";
import type { Profile } from "@tenon/runtime/manifest";
import { type Contract, CONTRACT_FILE, readContract, writeContract } from "../contract/contract.js";
import { type ContractChange, contractChanges } from "../contract/contract-changes.js";
import { contractAnnotations, contractReport, type LocatedChange } from "../contract/contract-report.js";
import { adviceOn, ALL_TOKENS } from "./advice.js";
import { adviceReport } from "./advice-report.js";
import { clientFamilies } from "./client-families.js";
import { clientTable } from "./client-table.js";
import { permissionChanges } from "../contract/permission-changes.js";
import { permissionReport } from "./permission-report.js";
import { readManifest } from "./read-manifest.js";
import { declaredQuestions } from "../project/declared-questions.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CheckOptions {
  /** Names of client families; all that take schemas as listed when absent. */
  client?: readonly string[];
  /** Which clients the listed schemas are written for. */
  profile?: Profile;
  json?: boolean;
  /** The manifest of an earlier build, to compare who may do what, and how arguments are given. */
  against?: string;
  /** How many tokens all definitions may take; more fails. */
  maxTokens?: number;
  /** Writes what clients see now as the contract. */
  write?: boolean;
  /** Prints what is different from the contract as annotations of a pull request. Default: where GitHub runs it. */
  github?: boolean;
}

/**
 * `tenon check [dir]`: what clients would refuse or lose, what the definitions cost, and who may do more or less than
 * before.
 */
export function check(terminal: Terminal, folder = ".", options: CheckOptions = {}): number {
  const earlier = options.against === undefined ? undefined : readManifest(options.against, terminal.cwd);
  const asked = clientFamilies(options.client);
  const root = projectRoot(folder, terminal.cwd);
  const compilation = compile({
    root,
    typeCheck: false,
    ...(options.profile && { profile: options.profile }),
  });
  const { manifest, profile = "portable", diagnostics, locate } = compilation;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  printDiagnostics(terminal.err, errors);
  if (!manifest) return 1;
  const promised = { ...manifest, questions: declaredQuestions(compilation) };
  const report = checkClients(manifest, { clients: asked ?? familiesFor(profile) });
  const permissions = earlier && permissionChanges(earlier, manifest);
  const contract = contractChangesOf(terminal, root, promised, options);
  const changes = contract?.map((each) => located(each, locate));
  const { maxTokens = ALL_TOKENS } = options;
  const advice = adviceOn(manifest, report, { before: earlier, maxTokens });
  if (options.json) {
    const compared = { ...(permissions && { permissions }), ...(changes && { changes }) };
    terminal.out.write(`${JSON.stringify({ ...report, maxTokens, advice, ...compared }, null, 2)}\n`);
  } else {
    if (permissions)
      terminal.out.write(`${permissionReport(permissions, options.against ?? "", terminal.out)}\n`);
    if (changes) terminal.out.write(`${contractReport(changes, terminal.out)}\n`);
    terminal.out.write(clientTable(report, { server: manifest.server, profile, sink: terminal.out }));
    terminal.out.write(adviceReport(advice, terminal.out));
  }
  const refused = report.tools.some(({ findings }) => findings.some(({ effect }) => effect === "refused"));
  const opened = permissions?.some(({ effect }) => effect === "opened") ?? false;
  if (changes && options.github) terminal.out.write(contractAnnotations(changes));
  const broken = changes?.some(({ effect, isOpened }) => effect === "breaking" || isOpened) ?? false;
  const isTooLarge = options.maxTokens !== undefined && report.total.tokens > maxTokens;
  return refused || opened || broken || isTooLarge || hasErrors(errors) ? 1 : 0;
}

/** In what the server differs from the contract of its project; undefined where there is none. */
function contractChangesOf(
  terminal: Terminal,
  root: string,
  promised: Contract,
  { write = false, json = false }: CheckOptions,
): ContractChange[] | undefined {
  if (!write) {
    const contract = readContract(root);
    return contract && contractChanges(contract, promised);
  }
  writeContract(root, promised);
  if (!json) terminal.err.write(`${CONTRACT_FILE} holds what clients see now. Commit it.\n\n`);
  return undefined;
}

function located(change: ContractChange, locate: Compilation["locate"]): LocatedChange {
  const { kind, name } = change;
  const span = kind === "server" || kind === "scope" ? undefined : locate?.(kind, name);
  return span === undefined ? change : { ...change, span };
}
