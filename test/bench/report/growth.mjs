/**
 * The tables of how costs grow: what is linear shows the same cost in every row.
 * @module
 */
import { number, table } from "./numbers.mjs";

/** @param {import("../measures/tools-curve.mjs").ToolsPoint[]} points */
export function toolsTable(points) {
  const least = points[0];
  const rows = points.map((point) => [
    String(point.tools),
    number(point.coldMs),
    point === least
      ? ""
      : number(((point.coldMs - (least?.coldMs ?? 0)) * 1000) / (point.tools - (least?.tools ?? 0))),
    number(point.addCpu),
    number(point.listCpu),
    number((point.listCpu ?? Number.NaN) / point.tools),
    number(point.mebibytes),
  ]);
  const head = [
    "tools",
    "cold ms",
    "more µs per tool",
    "add CPU µs",
    "list CPU µs",
    "of it per tool",
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

Tenon over HTTP; each row's CPU is that of the sessions opened since the row before. Beyond 10 000 every new
session takes the place of the oldest.

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
  const head = ["", "subscribers", "CPU µs to add one", "CPU µs to tell one", "ms to tell all", "RSS MiB"];
  return `## Growth: subscribers

Open \`subscriptions/listen\` streams over HTTP at 2026-07-28. To add one is that of the subscribers added since
the row before; all are told that a resource was updated, from the call that says so until the last has heard.

${table(head, rows)}`;
}
