import { checkClients, gradeServer } from "@tenon/compiler";
import { getClientNames } from "@tenon/compiler/clients";
import { toListedManifest } from "../remote/listed-manifest.js";
import { openRemote } from "../remote/open-remote.js";
import { toPrintableValue } from "../terminal/printable.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { listServer } from "../remote/remote-lists.js";
import type { RemoteTarget } from "../remote/remote-target.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { createAdvice, MAX_TOTAL_TOKENS } from "./advice.js";
import { writeAdvice } from "./advice-report.js";
import type { CheckOptions } from "./check.js";
import { findClientFamilies } from "./client-families.js";
import { formatGrade } from "./grade-report.js";
import { formatClientTable } from "./client-table.js";

/** Options that require the sources. */
const PROJECT_OPTIONS = ["baseline", "update", "profile", "directory"] as const;

/**
 * Runs `tenon check <url>` for a running server.
 *
 * @returns the exit code: 1 if a client rejects a tool, or the definitions exceed the budget
 * @throws Failure if the server is unreachable, or an option requires the sources
 */
export async function checkServer(
  terminal: Terminal,
  target: RemoteTarget,
  options: CheckOptions & RemoteFlags,
): Promise<number> {
  const misplaced = PROJECT_OPTIONS.find((name) => options[name] !== undefined);
  if (misplaced !== undefined)
    throw new Failure(`--${misplaced} requires the sources of a project, not a running server.`, {
      exitCode: 2,
    });
  const clients = findClientFamilies(options.client) ?? getClientNames("portable");
  const server = await openRemote(terminal, target, options);
  const listed = await server.use(listServer).finally(() => server.close());
  const manifest = toListedManifest(options.json ? listed : toPrintableValue(listed), listed.server);
  const report = checkClients(manifest, { clients });
  const grade = gradeServer(manifest);
  const { maxTokens = MAX_TOTAL_TOKENS } = options;
  const advice = createAdvice(manifest, report, { maxTokens });
  if (options.json) {
    terminal.out.write(`${JSON.stringify({ ...report, maxTokens, advice, grade }, null, 2)}\n`);
  } else {
    terminal.out.write(
      formatClientTable(report, { server: toPrintableValue(listed.server), sink: terminal.out }),
    );
    if (grade) terminal.out.write(formatGrade(grade, terminal.out));
  }
  const isRejected = report.tools.some(({ findings }) =>
    findings.some(({ effect }) => effect === "rejected"),
  );
  const isTooLarge = writeAdvice(terminal, advice, options);
  return isRejected || isTooLarge ? 1 : 0;
}
