import { number, table } from "./numbers.mjs";
import { rawFor } from "./serving.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */
/** @typedef {{ what: string, target: string, reached: string, met: boolean }} Verdict */

/**
 * Returns the targets of Tenon, and whether the measured values meet them.
 *
 * @param {Measured} measured
 * @returns {Verdict[]}
 */
export function verdicts(measured) {
  return [
    ...coldVerdicts(measured),
    ...stdioVerdicts(measured),
    ...httpVerdicts(measured),
    ...sizeVerdicts(measured),
    ...authVerdicts(measured),
    ...fieldVerdicts(measured),
    ...compileVerdicts(measured),
  ];
}

/** @param {Measured} measured */
export function targetsTable(measured) {
  const rows = verdicts(measured).map(({ what, target, reached, met }) => [
    what,
    target,
    reached,
    met ? "yes" : "NO",
  ]);
  return `## Targets\n\n${table(["", "target", "measured", "met"], rows)}`;
}

/** @param {string} what @param {number | undefined} value @param {number} max @param {string} unit @returns {Verdict[]} */
function atMost(what, value, max, unit) {
  if (value === undefined || Number.isNaN(value)) return [];
  return [
    {
      what,
      target: `≤ ${withUnit(String(max), unit)}`,
      reached: withUnit(number(value), unit),
      met: value <= max,
    },
  ];
}

/** @param {string} what @param {number | undefined} value @param {number} min @param {string} unit @returns {Verdict[]} */
function atLeast(what, value, min, unit) {
  if (value === undefined || Number.isNaN(value)) return [];
  return [
    {
      what,
      target: `≥ ${withUnit(String(min), unit)}`,
      reached: withUnit(number(value), unit),
      met: value >= min,
    },
  ];
}

/** Appends a unit to a number. There is no space before `×`. @param {string} value @param {string} unit */
function withUnit(value, unit) {
  return unit.startsWith("×") ? `${value}${unit}` : `${value} ${unit}`;
}

/** @param {number | undefined} value @param {number | undefined} base */
function ratio(value, base) {
  return value === undefined || base === undefined ? undefined : value / base;
}

/** @param {Measured} measured @returns {Verdict[]} */
function coldVerdicts({ cold }) {
  const of = (/** @type {string} */ name) => cold?.starts.find((start) => start.name === name)?.cpuMs;
  const [tenon, raw] = [of("tenon"), of("raw")];
  const at = (/** @type {number} */ extra) => ratio(tenon?.get(extra), raw?.get(extra));
  return [
    ...atMost("cold start", at(0), 1.2, "× raw CPU"),
    ...atMost("cold start, 100 more tools", at(100), 1.35, "× raw CPU"),
  ];
}

/** @param {Measured} measured @returns {Verdict[]} */
function stdioVerdicts({ stdio }) {
  return ["", ", 2026-07-28"].flatMap((era) => {
    const tenon = stdio?.get(`Tenon${era}`);
    const raw = stdio?.get(`raw${era}`);
    return [
      ...atMost(`stdio add${era}`, ratio(tenon?.add, raw?.add), 1.6, "× raw CPU"),
      ...atMost(`stdio search${era}`, ratio(tenon?.search, raw?.search), 1.6, "× raw CPU"),
      ...atMost(`stdio sequential p50${era}`, ratio(tenon?.p50, raw?.p50), 1.5, "× raw"),
      ...atMost(`peak RSS${era}`, ratio(tenon?.peakMebibytes, raw?.peakMebibytes), 1.3, "× raw"),
    ];
  });
}

/** @param {Measured} measured @returns {Verdict[]} */
function httpVerdicts({ http }) {
  const peer = http?.get("SDK v2, 2026-07-28")?.perSecond;
  return ["Tenon, 2026-07-28", "Tenon, sessions"].flatMap((name) => {
    const tenon = http?.get(name);
    const raw = http === undefined ? undefined : rawFor(http, name);
    const mode = name.slice("Tenon, ".length);
    return [
      ...atLeast(`HTTP ${mode}, requests/s`, ratio(tenon?.perSecond, peer), 15, "× SDK v2"),
      ...atLeast(`HTTP ${mode}, requests/s`, ratio(tenon?.perSecond, raw?.perSecond), 0.7, "× raw"),
      ...atMost(`HTTP ${mode}, p99`, ratio(tenon?.p99, raw?.p99), 2, "× raw"),
    ];
  });
}

/** @param {Measured} measured @returns {Verdict[]} */
function sizeVerdicts({ sizes }) {
  const tenon = sizes?.get("tenon");
  return [
    ...atMost("installed", tenon?.packages, 2, "packages"),
    ...atMost("bundle of three tools", tenon?.bundleKibibytes, 200, "KiB"),
  ];
}

/** @param {Measured} measured @returns {Verdict[]} */
function authVerdicts({ auth }) {
  return ["JWT, remembered", "JWT, first use, RS256", "JWT, first use, ES256"].flatMap((name) =>
    atMost(`${name}, p50`, auth?.get(name)?.p50, 100, "µs"),
  );
}

/** @param {Measured} measured @returns {Verdict[]} */
function fieldVerdicts({ field }) {
  return ["`fetch`", "undici"].flatMap((client) => {
    const [raw, tenon] = ["raw", "Tenon"].map((server) => field?.get(`${server}, ${client}`)?.get(4));
    const what = `tools over Redis and an HTTP API, 4 workers, ${client}`;
    return [
      ...atLeast(`${what}, requests/s`, ratio(tenon?.perSecond, raw?.perSecond), 0.95, "× raw"),
      ...atLeast(`${what}, requests per CPU second`, ratio(raw?.cpu, tenon?.cpu), 0.95, "× raw"),
    ];
  });
}

/** @param {Measured} measured @returns {Verdict[]} */
function compileVerdicts({ compile, commands, dev }) {
  const at = (/** @type {number} */ tools) => compile?.find((point) => point.tools === tools);
  const [middle, large] = [at(50), at(500)];
  return [
    ...atMost("build, 500 tools", ratio(large?.build.cpuMs, large?.tsc.cpuMs), 1.75, "× tsc CPU"),
    ...atMost("inspect, 500 tools", ratio(large?.inspect.cpuMs, large?.tsc.cpuMs), 1.25, "× tsc CPU"),
    ...atMost("compile after an edit, 50 tools", ratio(middle?.againMs, middle?.coldMs), 0.25, "× first"),
    ...[...(commands?.commands ?? [])].flatMap(([name, { unchanged, edited }]) => [
      ...atMost(`${name}, unchanged project`, unchanged.ms, 1000, "ms"),
      ...atMost(`${name}, after an edit with dev`, edited.ms, 1000, "ms"),
    ]),
    ...atMost("dev, method body changed", dev?.bodyMs, 250, "ms"),
    ...atMost("dev, type changed", dev?.typeMs, 250, "ms"),
  ];
}
