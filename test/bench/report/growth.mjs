/**
 * The tables of growing costs. A linear cost is the same in every row.
 * @module
 */
import { number, table } from "./numbers.mjs";

/** @param {import("../measures/tools-curve.mjs").ToolsPoint[]} points */
export function toolsTable(points) {
  const smallest = points[0];
  const rows = points.map((point) => [
    String(point.tools),
    number(point.coldMs),
    point === smallest
      ? ""
      : number(((point.coldMs - (smallest?.coldMs ?? 0)) * 1000) / (point.tools - (smallest?.tools ?? 0))),
    number(point.addCpu),
    number(point.listCpu),
    number((point.listCpu ?? Number.NaN) / point.tools),
    number(point.mebibytes),
  ]);
  const head = [
    "tools",
    "cold ms",
    "added µs per tool",
    "add CPU µs",
    "list CPU µs",
    "list CPU µs per tool",
    "RSS MiB",
  ];
  return `## Growth: tools\n\nTenon over stdio.\n\n${table(head, rows)}`;
}

/** @param {import("../measures/sessions-curve.mjs").SessionsPoint[]} points */
export function sessionsTable(points) {
  const rows = points.map((point) => [
    String(point.sessions),
    number(point.openCpu),
    number(point.callCpu),
    number(point.mebibytes),
  ]);
  const head = ["sessions", "CPU µs per session opened", "CPU µs per `add`", "RSS MiB"];
  return `## Growth: legacy sessions

Tenon over HTTP. The CPU time in a row is that of the sessions opened since the previous row. Beyond 10,000, every new
session replaces the oldest.

${table(head, rows)}`;
}

/** @param {Map<string, import("../measures/subscribers-curve.mjs").SubscribersPoint[]>} curves */
export function subscribersTable(curves) {
  const rows = [...curves].flatMap(([name, points]) =>
    points.map((point) => [
      name,
      String(point.subscribers),
      number(point.openCpu),
      number(point.tellCpu),
      number(point.tellMs),
      number(point.mebibytes),
    ]),
  );
  const head = [
    "",
    "subscribers",
    "CPU µs per subscriber added",
    "CPU µs per notification",
    "ms to notify all",
    "RSS MiB",
  ];
  return `## Growth: subscribers

Open \`subscriptions/listen\` streams over HTTP at 2026-07-28. The CPU time of adding is that of the subscribers
added since the previous row. All of them then receive the update of a resource, timed from the call that announces it to
the last notification.

${table(head, rows)}`;
}
