/**
 * Measures all rivals. A measurement that fails becomes a cell with the reason, and the run continues.
 * @module
 */
import { join } from "node:path";
import { interleave, median } from "../statistics.mjs";
import { conformance } from "./conformance.mjs";
import * as probes from "./probes.mjs";
import { bundleSize, installedSizes } from "./sizes.mjs";
import * as speed from "./speed.mjs";

/** @import { PreparedRival } from "./prepare.mjs" */
/** @import { Cell } from "./results.mjs" */

/** @typedef {Record<string, Cell>} Cells */
/** @typedef {{ rounds: number, coldRounds: number, load: speed.Load }} Effort */

const NO_STDIO = "It has no stdio transport.";
const NO_MODERN = "It does not support 2026-07-28 over HTTP.";

/**
 * @param {readonly PreparedRival[]} prepared @param {Effort} effort @param {string} scratch
 * @param {(text: string) => void} report
 * @returns {Promise<Map<string, Cells>>} the cells of each rival
 */
export async function measureRivals(prepared, { rounds, coldRounds, load }, scratch, report) {
  /** @type {Map<string, Cells>} */
  const cells = new Map(prepared.map(({ rival }) => [rival.name, {}]));
  const withStdio = prepared.filter(({ rival }) => rival.transports.includes("stdio"));
  /** @type {PreparedRival[]} */
  const modern = [];
  for (const each of prepared) {
    const own = cells.get(each.rival.name) ?? {};
    report(`Observing ${each.rival.label} …`);
    const isModern = await probes.isModern(each).catch(() => false);
    if (isModern) modern.push(each);
    await observe(own, each, isModern, scratch);
  }
  /** @type {(keys: string[], measured: readonly PreparedRival[], times: number, why: string, measure: (rival: PreparedRival) => Promise<number[]>) => Promise<void>} */
  const inRounds = async (keys, measured, times, why, measure) => {
    report(`Measuring ${keys.join(", ")} …`);
    await measureInRounds(cells, keys, prepared, measured, times, why, measure);
  };
  await inRounds(["coldStartStdio"], withStdio, coldRounds, NO_STDIO, async (each) => [
    await speed.coldStartStdio(each),
  ]);
  await inRounds(["coldStartHttp"], prepared, coldRounds, "", async (each) => [
    await speed.coldStartHttp(each),
  ]);
  await inRounds(["stdioCalls", "stdioCpu", "stdioMemory"], withStdio, rounds, NO_STDIO, async (each) => {
    const { perSecond, cpu, peakMebibytes } = await speed.throughputStdio(each, load);
    return [perSecond, cpu, peakMebibytes];
  });
  await inRounds(["httpLegacy", "httpMemory"], prepared, rounds, "", async (each) => {
    const { perSecond, peakMebibytes } = await speed.throughputHttp(each, "sessions", load);
    return [perSecond, peakMebibytes];
  });
  await inRounds(["httpModern"], modern, rounds, NO_MODERN, async (each) => [
    (await speed.throughputHttp(each, "modern", load)).perSecond,
  ]);
  return cells;
}

/**
 * Observes all that is not measured repeatedly.
 *
 * @param {Cells} cells @param {PreparedRival} prepared @param {boolean} isModern @param {string} scratch
 */
async function observe(cells, prepared, isModern, scratch) {
  const sizes = installedSizes(prepared);
  cells.deployedPackages = { value: sizes.deployed.packages };
  cells.deployedMebibytes = { value: sizes.deployed.mebibytes };
  cells.projectPackages = { value: sizes.project.packages };
  cells.projectMebibytes = { value: sizes.project.mebibytes };
  cells.bundleKibibytes = await cell(async () => ({
    value: await bundleSize(prepared, join(scratch, "bundles", prepared.rival.name)),
  }));
  /** @type {Record<string, (rival: PreparedRival) => Promise<string>>} */
  const observations = {
    revisions: probes.revisions,
    conformanceLegacy: (each) => conformance(each, "2025-11-25"),
    conformanceModern: (each) => conformance(each, "2026-07-28"),
    invalidArgument: probes.invalidArgument,
    unknownArgument: probes.unknownArgument,
    invalidResult: probes.invalidResult,
    exception: probes.exception,
    printing: probes.printing,
    orphan: probes.orphan,
  };
  /** @type {Record<string, string>} */
  const impossible = {
    ...(isModern ? {} : { conformanceModern: NO_MODERN }),
    ...(prepared.rival.transports.includes("stdio") ? {} : { printing: NO_STDIO, orphan: NO_STDIO }),
  };
  for (const [key, look] of Object.entries(observations)) {
    const why = impossible[key];
    cells[key] =
      why === undefined ? await cell(async () => ({ text: await look(prepared) })) : { absent: why };
  }
}

/** @param {() => Promise<Cell>} measure @returns {Promise<Cell>} */
async function cell(measure) {
  try {
    return await measure();
  } catch (error) {
    return { absent: reason(error) };
  }
}

/**
 * Measures numbers in interleaved rounds, and stores their medians.
 *
 * @param {Map<string, Cells>} cells @param {readonly string[]} keys one for each number
 * @param {readonly PreparedRival[]} all @param {readonly PreparedRival[]} measured those that can be measured
 * @param {number} rounds @param {string} why the reason for which the others cannot
 * @param {(rival: PreparedRival) => Promise<number[]>} measure
 */
async function measureInRounds(cells, keys, all, measured, rounds, why, measure) {
  const byName = new Map(measured.map((each) => [each.rival.name, each]));
  /** @type {Map<string, string>} */
  const failed = new Map();
  const samples = await interleave(rounds, [...byName.keys()], async (name) => {
    const prepared = byName.get(name);
    if (prepared === undefined || failed.has(name)) return [];
    try {
      return await measure(prepared);
    } catch (error) {
      failed.set(name, reason(error));
      return [];
    }
  });
  for (const { rival } of all) {
    const own = cells.get(rival.name) ?? {};
    const whole = (samples.get(rival.name) ?? []).filter((each) => each.length > 0);
    for (const [index, key] of keys.entries())
      own[key] =
        failed.has(rival.name) || whole.length === 0
          ? { absent: failed.get(rival.name) ?? why }
          : { value: median(whole.map((each) => each[index] ?? Number.NaN)) };
  }
}

/** Returns the first line of a message, without paths of this machine. @param {unknown} error */
export function reason(error) {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return `It failed: ${line.replaceAll(/(?:\/[\w.@-]+){2,}/g, "…").slice(0, 160)}`;
}
