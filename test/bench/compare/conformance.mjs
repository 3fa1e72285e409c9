/**
 * Runs the official conformance suite against a rival: the scenarios that need only a server, not the suite's own tools,
 * resources, and prompts, which only a server made for the suite has.
 * @module
 */
import { newerNode } from "../../support/newer-node.mjs";
import { runSuite } from "../../conformance/suite.mjs";
import { startHttp, untilListed } from "./speed.mjs";

/** @import { PreparedRival } from "./prepare.mjs" */

/** Scenarios that any server can run. */
export const SCENARIOS = [
  "dns-rebinding-protection",
  "http-header-validation",
  "ping",
  "server-initialize",
  "server-session-lifecycle",
  "server-sse-multiple-streams",
  "server-stateless",
  "tools-list",
];

/** Tools of the suite's own server, without which some checks of `server-stateless` fail. */
const SUITE_TOOL = /'test_\w+'/;

const TIMEOUT_MS = 15_000;

/**
 * Counts the checks that a rival passes, of those that the suite requires at a revision.
 *
 * @param {PreparedRival} prepared @param {string} revision
 * @returns {Promise<string>} such as `12 of 12`
 */
export async function conformance(prepared, revision) {
  const server = startHttp(prepared);
  try {
    await untilListed(prepared, server);
    const { checks, output } = await runSuite(newerNode(), prepared.url.href, {
      name: revision,
      suite: "conformance-alpha",
      options: ["--requirements", revision, "--timeout", String(TIMEOUT_MS)],
    });
    const counted = checks.filter(
      ({ scenario, status, message }) =>
        SCENARIOS.includes(scenario) &&
        (status === "SUCCESS" || status === "FAILURE") &&
        !SUITE_TOOL.test(message),
    );
    if (counted.length === 0) throw new Error(`The suite did not run: ${output.slice(-300)}`);
    return `${counted.filter(({ status }) => status === "SUCCESS").length} of ${counted.length}`;
  } finally {
    await server.stop();
  }
}
