import { number, table, withRatio } from "./numbers.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */

/** Several processes on a Redis. @param {NonNullable<Measured["scale"]>} scale */
export function scaleSection({ throughput, commands, sessions, subscribers }) {
  return `## Several processes

All processes, Redis and the client share the two processors of this machine, so that more processes cannot serve more
requests than one here: what counts is the processor time per request, which says what more processors would serve.
Of sessions, each request goes to a process other than the one that opened the session.

${throughputTable(throughput)}

What each kind of request asks of Redis: commands, by average, with what is passed on to other processes by the way. Beside
them, each process says every three seconds that it is alive.

${commandsTable(commands)}

Sessions of three processes. Each is opened at one of them and called at all; a session that is idle then takes what the
last two columns grow by.

${sessionsTable(sessions)}

Subscribers (\`subscriptions/listen\`) spread over three processes; all are told of a change at one of them.

${subscribersTable(subscribers)}`;
}

/** @param {NonNullable<Measured["scale"]>["throughput"]} throughput */
function throughputTable(throughput) {
  const rows = [...throughput].flatMap(([kind, points]) =>
    points.map(({ processes, sample }) => [
      kind,
      String(processes),
      withRatio(sample.perSecond, points[0]?.sample.perSecond),
      number(sample.cpu),
      number(sample.redisCpu),
      `${((100 * sample.redisCpu) / (sample.cpu + sample.redisCpu)).toFixed(1)} %`,
      number(sample.p50),
    ]),
  );
  return table(["", "processes", "requests/s", "CPU µs", "Redis CPU µs", "of all", "p50 ms"], rows);
}

/** @param {NonNullable<Measured["scale"]>["commands"]} commands */
function commandsTable(commands) {
  const rows = [...commands].map(([kind, { all, each }]) => [
    kind,
    number(all),
    Object.entries(each)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${number(count)} ${name}`)
      .join(", "),
  ]);
  return table(["", "commands", "of which"], rows);
}

/** @param {NonNullable<Measured["scale"]>["sessions"]} points */
function sessionsTable(points) {
  const rows = points.map((point, index) => {
    const before = points[index - 1];
    const grown = (/** @type {"mebibytes" | "redisMebibytes"} */ kind) =>
      before === undefined
        ? ""
        : number(((point[kind] - before[kind]) * 1024) / (point.sessions - before.sessions));
    return [
      String(point.sessions),
      number(point.openCpu),
      number(point.callCpu),
      number(point.mebibytes),
      number(point.redisMebibytes),
      grown("mebibytes"),
      grown("redisMebibytes"),
    ];
  });
  const head = [
    "sessions",
    "CPU µs per session opened",
    "CPU µs per `add`",
    "RSS MiB, three processes",
    "Redis MiB",
    "KiB per session",
    "in Redis",
  ];
  return table(head, rows);
}

/** @param {NonNullable<Measured["scale"]>["subscribers"]} points */
function subscribersTable(points) {
  const rows = points.map(({ subscribers, tellCpu, tellMs, mebibytes }) => [
    String(subscribers),
    number(tellCpu),
    number(tellMs),
    number(mebibytes),
  ]);
  return table(["subscribers", "CPU µs to tell one", "ms to tell all", "RSS MiB, three processes"], rows);
}
