import { StdioClient } from "../clients/stdio-client.mjs";
import { SECRET } from "../subjects/workload.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/prepare.mjs").PeerName} PeerName */
/** @typedef {import("../scratch/prepare.mjs").Command} Command */

/** @type {Record<string, "tenon" | PeerName>} */
const SUBJECTS = { Tenon: "tenon", "SDK v1": "sdk-v1", "SDK v2": "sdk-v2", FastMCP: "fastmcp" };

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/** Probes of a server over stdio; each returns its observation as text. @type {Record<string, (command: Command) => Promise<string>>} */
const PROBES = {
  "protocol revisions": async (command) => {
    const served = [];
    for (const revision of REVISIONS) {
      const opened = await negotiateRevision(command, revision);
      if (opened === revision) served.push(revision);
    }
    const { result } = await ask(command, "modern", "server/discover");
    if (result?.supportedVersions?.includes("2026-07-28")) served.push("2026-07-28");
    return `${served.length} of 5`;
  },
  "unknown argument": (command) =>
    describeResult(command, "add", { a: 1, b: 2, c: 3 }, ({ isError }) =>
      isError ? "rejected" : "silently dropped",
    ),
  "result that does not match its schema": (command) =>
    describeResult(command, "promise", {}, ({ isError }) => (isError ? "replaced by an error" : "sent")),
  "message of an unexpected error": (command) =>
    describeResult(command, "fail", {}, ({ text }) =>
      text.includes(SECRET) ? "sent to the client" : "logged only",
    ),
  "`console.log` over stdio": (command) =>
    describeResult(command, "print", {}, ({ text }) =>
      text === "printed" ? "written to stderr" : text,
    ).catch((/** @type {unknown} */ error) => {
      if (error instanceof SyntaxError) return "corrupts the protocol";
      throw error;
    }),
};

/**
 * Collects the responses of servers to the probes, which do not measure speed.
 *
 * @param {Bench} bench
 * @returns {Promise<Map<string, Map<string, string>>>} by probe and subject
 */
export async function measureAnswers(bench) {
  const answers = new Map();
  for (const [name, probe] of Object.entries(PROBES)) {
    const bySubject = new Map();
    for (const [label, subject] of Object.entries(SUBJECTS))
      bySubject.set(label, await probe(bench.probesCommand(subject)));
    answers.set(name, bySubject);
  }
  return answers;
}

/** @param {Command} command @param {string} revision @returns {Promise<string>} the revision that the server chooses */
async function negotiateRevision(command, revision) {
  const client = new StdioClient(command, "legacy");
  try {
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    };
    const { result } = await client.request("initialize", params);
    return result?.protocolVersion;
  } finally {
    await client.stop();
  }
}

/** @param {Command} command @param {"legacy" | "modern"} era @param {string} method @param {object} [params] */
async function ask(command, era, method, params) {
  const client = new StdioClient(command, era);
  try {
    await client.open();
    return await client.request(method, params);
  } finally {
    await client.stop();
  }
}

/**
 * @param {Command} command @param {string} name of the tool @param {object} args
 * @param {(answer: { isError: boolean, text: string }) => string} describe
 */
async function describeResult(command, name, args, describe) {
  const { result, error } = await ask(command, "legacy", "tools/call", { name, arguments: args });
  return describe(
    error === undefined
      ? { isError: result.isError === true, text: result.content[0].text }
      : { isError: true, text: error.message },
  );
}
