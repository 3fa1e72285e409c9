import type { AgentName } from "package-manager-detector";
import { Failure } from "../terminal/failure.js";

/** Common causes: the codes in the output of package managers, an explanation, and a remedy. */
const CAUSES: readonly {
  codes: RegExp;
  explain(command: string, host: string): string;
  remedy: string;
}[] = [
  {
    codes: /\bZ_(?:DATA|BUF)_ERROR\b/,
    explain: (command) => `${command} cannot unpack packages`,
    remedy: "Empty the cache of the package manager and try again; npm must be version 8 or newer",
  },
  {
    codes: /\b(?:ENOSPC|EDQUOT)\b/,
    explain: (command) => `${command} cannot write all packages, because the disk is full`,
    remedy: "Free some space",
  },
  {
    codes:
      /\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_HAS_EXPIRED)\b/,
    explain: (command, host) => `${command} does not trust the certificate of ${host}`,
    remedy:
      "A proxy probably replaces it: set NODE_EXTRA_CA_CERTS to a file with the certificate of the proxy",
  },
  {
    codes:
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ConnectionRefused|FailedToOpenSocket)\b/,
    explain: (command, host) => `${command} cannot reach ${host}`,
    remedy: "Check the network, or the variable HTTPS_PROXY if you use a proxy",
  },
];

/** Matches the host in the messages of npm, pnpm, and Yarn. */
const HOST = /(?:request to|GET|ENOTFOUND|EAI_AGAIN)\s+(?:https?:\/\/)?([\w-]+\.[\w.-]+(?::\d+)?)/;

/**
 * Explains why a package manager failed: in a sentence for common causes, and otherwise with the end of its output.
 *
 * @param output everything that it printed
 * @example
 * explainInstallFailure("npm", "npm error code ENOTFOUND").message
 * // "`npm install` cannot reach the package registry (ENOTFOUND)."
 */
export function explainInstallFailure(manager: AgentName, output: string): Failure {
  const command = `\`${manager} install\``;
  for (const { codes, explain, remedy } of CAUSES) {
    const [code] = codes.exec(output) ?? [];
    if (code === undefined) continue;
    const host = HOST.exec(output)?.[1] ?? "the package registry";
    return new Failure(`${explain(command, host)} (${code}).`, {
      hint: `The files have been written. ${remedy}, and run ${command} in the project.`,
    });
  }
  return new Failure(`${command} failed:\n\n${getLastLines(output)}`, {
    hint: `The files have been written. Fix the cause, and run ${command} in the project.`,
  });
}

/** Returns the end of a program's output, which usually contains the reason for its failure. */
export function getLastLines(output: string): string {
  return output.trim().split("\n").slice(-20).join("\n");
}
