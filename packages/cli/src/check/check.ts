import { checkClients, compile } from "@tenon/compiler";
import { CLIENT_NAMES, familiesFor, type ClientName } from "@tenon/compiler/clients";
import type { Profile } from "@tenon/runtime/manifest";
import { clientTable } from "./client-table.js";
import { permissionChanges } from "./permission-changes.js";
import { permissionReport } from "./permission-report.js";
import { readManifest } from "./read-manifest.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";
import { unknownName } from "../terminal/unknown-name.js";

export interface CheckOptions {
  /** Names of client families; all that take schemas as listed when absent. */
  client?: readonly string[];
  /** Which clients the listed schemas are written for. */
  profile?: Profile;
  json?: boolean;
  /** The manifest of an earlier build, to compare who may do what. */
  against?: string;
}

/**
 * `tenon check [dir]`: what clients would refuse or lose, what the definitions cost, and who may do more or less than
 * before.
 */
export function check(terminal: Terminal, folder = ".", options: CheckOptions = {}): number {
  const earlier = options.against === undefined ? undefined : readManifest(options.against, terminal.cwd);
  const asked = options.client?.map((name) => clientName(name));
  const compilation = compile({
    root: projectRoot(folder, terminal.cwd),
    typeCheck: false,
    ...(options.profile && { profile: options.profile }),
  });
  const { manifest, profile = "portable", diagnostics } = compilation;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  printDiagnostics(terminal.err, errors);
  if (!manifest) return 1;
  const report = checkClients(manifest, { clients: asked ?? familiesFor(profile) });
  const permissions = earlier && permissionChanges(earlier, manifest);
  if (options.json) {
    terminal.out.write(`${JSON.stringify({ ...report, ...(permissions && { permissions }) }, null, 2)}\n`);
  } else {
    if (permissions)
      terminal.out.write(`${permissionReport(permissions, options.against ?? "", terminal.out)}\n`);
    terminal.out.write(clientTable(report, { server: manifest.server, profile, sink: terminal.out }));
  }
  const refused = report.tools.some(({ findings }) => findings.some(({ effect }) => effect === "refused"));
  const opened = permissions?.some(({ effect }) => effect === "opened") ?? false;
  return refused || opened || hasErrors(errors) ? 1 : 0;
}

function clientName(text: string): ClientName {
  const found = CLIENT_NAMES.find((name) => name === text);
  if (found) return found;
  throw unknownName("client family", text, CLIENT_NAMES, { exitCode: 2 });
}
