/**
 * Fails if a package that users install has a known vulnerability. An unreachable registry is not a failure.
 * @module
 */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Evaluates the output of `npm audit --json`.
 *
 * @param {string} text
 * @returns {{ outcome: "clean" | "unknown" | "vulnerable", message: string }}
 */
export function evaluateAudit(text) {
  const report = parse(text);
  const counts = report?.metadata?.vulnerabilities;
  if (typeof counts?.total !== "number") {
    return {
      outcome: "unknown",
      message: `Not audited: ${report?.message ?? "the registry did not respond"}.`,
    };
  }
  if (counts.total === 0) return { outcome: "clean", message: "No known vulnerabilities." };
  const names = Object.entries(report?.vulnerabilities ?? {}).map(
    ([name, { severity, range }]) => `  ${severity}: ${name} ${range}`,
  );
  return { outcome: "vulnerable", message: ["Known vulnerabilities:", ...names].join("\n") };
}

/**
 * @param {string} text
 * @returns {{
 *   message?: string,
 *   metadata?: { vulnerabilities?: { total?: number } },
 *   vulnerabilities?: Record<string, { severity: string, range: string }>,
 * } | undefined}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const { outcome, message } = evaluateAudit(stdout);
  process.stdout.write(`${message}\n`);
  if (outcome === "vulnerable") process.exitCode = 1;
}
