import { CALLS, listCall } from "../clients/requests.mjs";
import { StdioClient } from "../clients/stdio-client.mjs";
import { residentMebibytes } from "../process-usage.mjs";
import { interleave, median } from "../statistics.mjs";
import { untilList } from "./cold-start.mjs";
import { cpuPerCall } from "./stdio.mjs";

/**
 * @typedef {object} ToolsPoint
 * @property {number} tools
 * @property {number} coldMs from spawn to the answer of `tools/list`
 * @property {number | undefined} addCpu server CPU per call to `add`, in microseconds
 * @property {number | undefined} listCpu server CPU per `tools/list`, in microseconds
 * @property {number | undefined} mebibytes resident after the list is given
 */

const CALLS_EACH = 20_000;

/**
 * Measures how Tenon's costs grow with the number of tools.
 *
 * @param {import("../scratch/prepare.mjs").Bench} bench @param {number} rounds @param {readonly number[]} extras
 *
 * @returns {Promise<ToolsPoint[]>}
 */
export async function measureToolsCurve(bench, rounds, extras) {
  const samples = await interleave(rounds, extras.map(String), (name) => measureOnce(bench, Number(name)));
  return extras.map((extra) => {
    const each = samples.get(String(extra)) ?? [];
    const of = (/** @type {keyof ToolsPoint} */ key) => median(each.map((point) => point[key] ?? Number.NaN));
    return {
      tools: extra + 3,
      coldMs: of("coldMs"),
      addCpu: of("addCpu"),
      listCpu: of("listCpu"),
      mebibytes: of("mebibytes"),
    };
  });
}

/**
 * @param {import("../scratch/prepare.mjs").Bench} bench @param {number} extra
 * @returns {Promise<ToolsPoint>}
 */
async function measureOnce(bench, extra) {
  const { ms: coldMs } = await untilList(bench, "tenon", extra);
  const client = new StdioClient(bench.command("tenon", { extra }), "legacy");
  try {
    await client.open();
    await client.request("tools/list");
    const mebibytes = residentMebibytes(client.server.pid, "VmRSS");
    const addCpu = await cpuPerCall(client, CALLS.add, CALLS_EACH, CALLS_EACH / 2);
    const listCpu = await cpuPerCall(client, listCall(extra + 3), 200, 50);
    return { tools: extra + 3, coldMs, addCpu, listCpu, mebibytes };
  } finally {
    await client.stop();
  }
}
