import { checkClients, CLIENT_NAMES, compile, familiesFor, type ClientName } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { clientTable } from "../check/client-table.js";
import { Failure } from "../terminal/failure.js";
import { nearest } from "../terminal/nearest-word.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

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
  const close = nearest(text, CLIENT_NAMES);
  throw new Failure(`There is no client family \`${text}\`${close ? `; did you mean \`${close}\`?` : "."}`, {
    hint: `The families: ${CLIENT_NAMES.join(", ")}.`,
    exitCode: 2,
  });
}
