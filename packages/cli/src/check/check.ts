import { checkClients, compile } from "@tenon/compiler";
import { CLIENT_NAMES, familiesFor, type ClientName } from "@tenon/compiler/clients";
import type { Profile } from "@tenon/runtime/manifest";
import { clientTable } from "./client-table.js";
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
}

/** `tenon check [dir]`: what clients would refuse or lose, and what the definitions cost. */
export function check(terminal: Terminal, folder = ".", options: CheckOptions = {}): number {
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
  terminal.out.write(
    options.json
      ? `${JSON.stringify(report, null, 2)}\n`
      : clientTable(report, { server: manifest.server, profile, sink: terminal.out }),
  );
  const refused = report.tools.some(({ findings }) => findings.some(({ effect }) => effect === "refused"));
  return refused || hasErrors(errors) ? 1 : 0;
}

function clientName(text: string): ClientName {
  const found = CLIENT_NAMES.find((name) => name === text);
  if (found) return found;
  throw unknownName("client family", text, CLIENT_NAMES, { exitCode: 2 });
}
