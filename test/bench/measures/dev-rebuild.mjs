import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { StdioClient } from "../clients/stdio-client.mjs";
import { cli } from "../scratch/tenon-project.mjs";
import { editedFile } from "../scratch/types-project.mjs";
import { median, percentile } from "../statistics.mjs";

/**
 * @typedef {object} DevRebuild milliseconds from the save to the first answer of the new code
 * @property {number} tools
 * @property {number} bodyMs median, when the body of a tool changes
 * @property {number} typeMs median, when a type changes too
 * @property {number} slowestMs
 */

/** The pause between two edits, in which the server finishes a reload, as it does between an author's edits. */
const BETWEEN_EDITS_MS = 400;
/** The polling interval: short enough to be exact, long enough not to slow down the rebuild. */
const POLL_MS = 3;
const PATIENCE_MS = 60_000;

/**
 * Edits a project while `tenon dev` serves it over stdio.
 *
 * @param {string} root a project of `writeTypesProject` @param {number} tools @param {number} edits of each kind
 * @returns {Promise<DevRebuild>}
 */
export async function measureDevRebuild(root, tools, edits) {
  const first = editedFile(root, tools, 0, false);
  writeFileSync(first.path, first.text);
  const client = new StdioClient({ args: [cli, "dev", "--stdio", root], cwd: root }, "legacy");
  try {
    await client.open();
    await untilAnswers(client, '"version 0"');
    /** @type {Record<"body" | "type", number[]>} */
    const times = { body: [], type: [] };
    // The first edit also pays for what is loaded or compiled once.
    await edit(client, root, tools, 1, false);
    for (let version = 2; version < 2 + 2 * edits; version += 2) {
      // Between two edits of the body the type stays as it is.
      times.body.push(await edit(client, root, tools, version, false));
      times.type.push(await edit(client, root, tools, version + 1, true));
      await edit(client, root, tools, version + 1000, false);
    }
    return {
      tools,
      bodyMs: median(times.body),
      typeMs: median(times.type),
      slowestMs: percentile([...times.body, ...times.type], 1),
    };
  } finally {
    await client.stop();
    writeFileSync(first.path, first.text);
  }
}

/** @param {StdioClient} client @param {string} root @param {number} tools @param {number} version @param {boolean} member */
async function edit(client, root, tools, version, member) {
  await delay(BETWEEN_EDITS_MS);
  const { path, text } = editedFile(root, tools, version, member);
  const saved = performance.now();
  writeFileSync(path, text);
  await untilAnswers(client, `"version ${version}"`);
  return performance.now() - saved;
}

/** @param {StdioClient} client @param {string} quoted the text that the first tool must return, in quotes */
async function untilAnswers(client, quoted) {
  const last = performance.now() + PATIENCE_MS;
  const call = { name: "tool_0", arguments: { owner: { name: "Ada", email: "ada@example.org" }, items: [] } };
  for (;;) {
    const answer = await client.request("tools/call", call);
    if (answer.result?.isError !== true && JSON.stringify(answer.result?.content).includes(quoted)) return;
    if (performance.now() > last) {
      throw new Error(
        `tenon dev does not answer ${quoted}: ${JSON.stringify(answer)}\n${client.server.output}`,
      );
    }
    await delay(POLL_MS);
  }
}
