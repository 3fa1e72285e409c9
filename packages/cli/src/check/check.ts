import { getClientNames } from "@tenon/compiler/clients";
import { checkClients, gradeServer } from "@tenon/compiler/report";
import type { Profile } from "@tenon/runtime/manifest";
import { reuseOrCompute } from "../cache/build-cache.js";
import { compareServers, type ServerChange } from "../compare/compare-servers.js";
import { comparePermissions } from "../compare/permissions.js";
import type { ServerDescription } from "../compare/server-description.js";
import { CONTRACT_FILE, readContract, writeContract } from "../contract/contract.js";
import { formatAnnotations, formatContract, type LocatedChange } from "../contract/contract-report.js";
import { createAdvice, MAX_TOTAL_TOKENS } from "./advice.js";
import { writeAdvice } from "./advice-report.js";
import { findClientFamilies } from "./client-families.js";
import { createCheckWork } from "./check-work.js";
import type { CheckedProject } from "./checked-project.js";
import { findDirectories } from "./directory-names.js";
import { formatGrade } from "./grade-report.js";
import { formatClientTable } from "./client-table.js";
import { formatPermissions } from "./permission-report.js";
import { readManifest } from "./read-manifest.js";
import { hasErrors, printDiagnostics, printErrors } from "../terminal/print-diagnostics.js";
import { findProjectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

/** The options of `tenon check`. */
export interface CheckOptions {
  /** The names of client families. Default: all of the profile. */
  client?: readonly string[];
  /** The profile for the listed schemas. */
  profile?: Profile;
  json?: boolean;
  /** The path of an earlier build's manifest, with which permissions and arguments are compared. */
  baseline?: string;
  /** Maximum number of tokens of all definitions. */
  maxTokens?: number;
  /** Whether to write the contract. */
  update?: boolean;
  /** The names of public directories whose rules to check; `all` for every one. Default: none. */
  directory?: readonly string[];
  /** Whether to print changes as annotations of a pull request. Default: false. */
  github?: boolean;
  /** Whether to report if an earlier compilation was reused. */
  verbose?: boolean;
}

/**
 * Runs `tenon check [dir]`. Returns the exit code: 1 if the project has errors, a client or a directory rejects something, or a change is breaking or opens access.
 */
export async function check(terminal: Terminal, folder = ".", options: CheckOptions = {}): Promise<number> {
  const earlier = options.baseline === undefined ? undefined : readManifest(options.baseline, terminal.cwd);
  const clients = findClientFamilies(options.client);
  const directories = findDirectories(options.directory);
  const root = findProjectRoot(folder, terminal.cwd);
  const work = createCheckWork(root, { directories, profile: options.profile });
  const project = await reuseOrCompute(terminal, work, options.verbose);
  const {
    manifest,
    profile = "portable",
    diagnostics,
    views,
    questions,
    directoryDiagnostics,
    locations,
  } = project;
  const errors = printErrors(terminal.err, diagnostics);
  if (!manifest) {
    if (options.json) terminal.out.write(`${JSON.stringify({ diagnostics: errors }, null, 2)}\n`);
    return 1;
  }
  const described = { ...manifest, ...(views && { views }), questions };
  const report = checkClients(manifest, { clients: clients ?? getClientNames(profile) });
  const permissions = earlier && comparePermissions(earlier, manifest);
  const contract = findContractChanges(terminal, root, described, {
    ...options,
    hasErrors: errors.length > 0,
  });
  const changes = contract?.map((each) => addLocation(each, locations));
  const grade = gradeServer(manifest);
  const { maxTokens = MAX_TOTAL_TOKENS } = options;
  const advice = createAdvice(manifest, report, { before: earlier, maxTokens });
  if (options.json) {
    const others = {
      ...(errors.length > 0 && { diagnostics: errors }),
      ...(grade && { grade }),
      ...(directories.length > 0 && { directories: directoryDiagnostics }),
      ...(permissions && { permissions }),
      ...(changes && { changes }),
    };
    terminal.out.write(`${JSON.stringify({ ...report, maxTokens, advice, ...others }, null, 2)}\n`);
  } else {
    if (permissions)
      terminal.out.write(`${formatPermissions(permissions, options.baseline ?? "", terminal.out)}\n`);
    if (changes) terminal.out.write(`${formatContract(changes, terminal.out)}\n`);
    terminal.out.write(formatClientTable(report, { server: manifest.server, profile, sink: terminal.out }));
    if (grade) terminal.out.write(formatGrade(grade, terminal.out));
  }
  const isTooLarge = writeAdvice(terminal, advice, options);
  if (!options.json) printDiagnostics(terminal.out, directoryDiagnostics);
  const isRejected = report.tools.some(({ findings }) =>
    findings.some(({ effect }) => effect === "rejected"),
  );
  const hasOpenedAccess = permissions?.some(({ effect }) => effect === "opened") ?? false;
  // Stdout contains only JSON then. GitHub reads annotations from both streams.
  if (changes && options.github)
    (options.json ? terminal.err : terminal.out).write(formatAnnotations(changes));
  const hasBreakingChange =
    changes?.some(({ effect, isOpened }) => effect === "breaking" || isOpened) ?? false;
  const isUnpublishable = hasErrors(directoryDiagnostics);
  return isRejected ||
    hasOpenedAccess ||
    hasBreakingChange ||
    isTooLarge ||
    isUnpublishable ||
    errors.length > 0
    ? 1
    : 0;
}

/** Compares the server with its contract, or writes the contract. Returns undefined if there is nothing to compare. */
function findContractChanges(
  terminal: Terminal,
  root: string,
  described: ServerDescription,
  { update = false, json = false, hasErrors }: CheckOptions & { hasErrors: boolean },
): ServerChange[] | undefined {
  if (!update) {
    const contract = readContract(root);
    return contract && compareServers(contract, described);
  }
  // A declaration with an error would be missing from the contract.
  if (hasErrors) {
    terminal.err.write(`${CONTRACT_FILE} was not written, because the project has errors.\n\n`);
    return undefined;
  }
  writeContract(root, described);
  if (!json) terminal.err.write(`Wrote ${CONTRACT_FILE}. Commit it.\n\n`);
  return undefined;
}

function addLocation(change: ServerChange, locations: CheckedProject["locations"]): LocatedChange {
  const { kind, name } = change;
  const span = locations[`${kind} ${name}`];
  return span === undefined ? change : { ...change, span };
}
