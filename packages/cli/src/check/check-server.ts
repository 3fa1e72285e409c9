import { checkClients } from "@tenon/compiler";
import { familiesFor } from "@tenon/compiler/clients";
import { listedManifest } from "../remote/listed-manifest.js";
import { openRemote } from "../remote/open-remote.js";
import { printableValue } from "../remote/printable.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { seenOf } from "../remote/remote-lists.js";
import type { RemoteTarget } from "../remote/remote-target.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { adviceOn, ALL_TOKENS } from "./advice.js";
import { adviceReport } from "./advice-report.js";
import type { CheckOptions } from "./check.js";
import { clientFamilies } from "./client-families.js";
import { clientTable } from "./client-table.js";

/** Options that only make sense where the source is. */
const OF_PROJECTS = ["against", "write", "profile"] as const;

/**
 * `tenon check <url>`: what clients would refuse or lose of what a running server lists, and what that costs.
 *
 * @throws Failure when the server cannot be reached, or an option is about sources
 */
export async function checkServer(
  terminal: Terminal,
  target: RemoteTarget,
  options: CheckOptions & RemoteFlags,
): Promise<number> {
  const misplaced = OF_PROJECTS.find((name) => options[name] !== undefined);
  if (misplaced !== undefined)
    throw new Failure(`--${misplaced} is for a project, not for a server that is running.`, { exitCode: 2 });
  const clients = clientFamilies(options.client) ?? familiesFor("portable");
  const server = await openRemote(terminal, target, options);
  const seen = await server.use(seenOf).finally(() => server.close());
  const manifest = listedManifest(options.json ? seen : printableValue(seen), seen.server);
  const report = checkClients(manifest, { clients });
  const { maxTokens = ALL_TOKENS } = options;
  const advice = adviceOn(manifest, report, { maxTokens });
  if (options.json) {
    terminal.out.write(`${JSON.stringify({ ...report, maxTokens, advice }, null, 2)}\n`);
  } else {
    terminal.out.write(clientTable(report, { server: printableValue(seen.server), sink: terminal.out }));
    terminal.out.write(adviceReport(advice, terminal.out));
  }
  const isRefused = report.tools.some(({ findings }) => findings.some(({ effect }) => effect === "refused"));
  const isTooLarge = options.maxTokens !== undefined && report.total.tokens > maxTokens;
  return isRefused || isTooLarge ? 1 : 0;
}
