import { measureAnswers } from "./measures/answers.mjs";
import { measureAuth } from "./measures/auth.mjs";
import { measureColdStart } from "./measures/cold-start.mjs";
import { measureCommands } from "./measures/commands.mjs";
import { measureCompile, typesProject } from "./measures/compile.mjs";
import { measureDevRebuild } from "./measures/dev-rebuild.mjs";
import { measureField } from "./measures/field.mjs";
import { measureHttp } from "./measures/http.mjs";
import { measureProtections } from "./measures/protections.mjs";
import { measureCommands as measureStoreCommands } from "./measures/scale-commands.mjs";
import { measureSharedSessions, measureSharedSubscribers } from "./measures/scale-growth.mjs";
import { measureThroughput } from "./measures/scale-throughput.mjs";
import { measureSessionsCurve } from "./measures/sessions-curve.mjs";
import { measureSizes } from "./measures/size.mjs";
import { measureStdio } from "./measures/stdio.mjs";
import { measureSubscribersCurve } from "./measures/subscribers-curve.mjs";
import { measureWorkers } from "./measures/workers.mjs";
import { measureToolsCurve } from "./measures/tools-curve.mjs";

/** @typedef {import("./scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("./options.mjs").Options} Options */
/** @typedef {import("./options.mjs").Part} Part */

/**
 * @typedef {object} Measured the results of a run; parts that were not requested are absent
 * @property {Awaited<ReturnType<typeof measureColdStart>>} [cold]
 * @property {Awaited<ReturnType<typeof measureStdio>>} [stdio]
 * @property {Awaited<ReturnType<typeof measureHttp>>} [http]
 * @property {Awaited<ReturnType<typeof measureSizes>>} [sizes]
 * @property {Awaited<ReturnType<typeof measureToolsCurve>>} [tools]
 * @property {Awaited<ReturnType<typeof measureSessionsCurve>>} [sessions]
 * @property {Map<string, Awaited<ReturnType<typeof measureSubscribersCurve>>>} [subscribers]
 * @property {Scale} [scale]
 * @property {Awaited<ReturnType<typeof measureAuth>>} [auth]
 * @property {Awaited<ReturnType<typeof measureProtections>>} [protections]
 * @property {Awaited<ReturnType<typeof measureWorkers>>} [workers]
 * @property {Awaited<ReturnType<typeof measureField>>} [field]
 * @property {Awaited<ReturnType<typeof measureCompile>>[]} [compile]
 * @property {Awaited<ReturnType<typeof measureCommands>>} [commands]
 * @property {Awaited<ReturnType<typeof measureDevRebuild>>} [dev]
 * @property {Awaited<ReturnType<typeof measureAnswers>>} [answers]
 */

/**
 * @typedef {object} Scale several processes of one server, on a Redis
 * @property {Awaited<ReturnType<typeof measureThroughput>>} throughput
 * @property {Awaited<ReturnType<typeof measureStoreCommands>>} commands
 * @property {Awaited<ReturnType<typeof measureSharedSessions>>} sessions
 * @property {Awaited<ReturnType<typeof measureSharedSubscribers>>} subscribers
 */

const DEV_TOOLS = 50;

/**
 * @param {Bench} bench @param {Options} options
 * @returns {Record<Part, () => Promise<Measured>>}
 */
export function createParts(bench, options) {
  const { rounds } = options;
  /** @type {Map<number, string>} */
  const projects = new Map();
  const findProject = (/** @type {number} */ tools) => {
    const root = projects.get(tools) ?? typesProject(bench, tools);
    projects.set(tools, root);
    return root;
  };
  return {
    cold: async () => ({ cold: await measureColdStart(bench, options.coldRounds, options.coldExtras) }),
    stdio: async () => ({ stdio: await measureStdio(bench, rounds, options.stdioLoad) }),
    http: async () => ({ http: await measureHttp(bench, rounds, options.httpMilliseconds) }),
    size: async () => ({ sizes: await measureSizes(bench) }),
    tools: async () => ({
      tools: await measureToolsCurve(bench, rounds, options.curveExtras),
    }),
    sessions: async () => ({ sessions: await measureSessionsCurve(bench, options.sessionPoints) }),
    subscribers: async () => {
      const { subscriberPoints: points } = options;
      const tenon = await measureSubscribersCurve(bench.newsCommand("tenon"), points);
      const peer = await measureSubscribersCurve(bench.newsCommand("sdk-v2"), points);
      return { subscribers: new Map([["Tenon", tenon]]).set("SDK v2", peer) };
    },
    scale: async () => ({
      scale: {
        throughput: await measureThroughput(
          bench.sharedCommand,
          options.scaleRounds,
          options.httpMilliseconds,
        ),
        commands: await measureStoreCommands(bench.sharedCommand),
        sessions: await measureSharedSessions(bench.sharedCommand, options.sharedSessionPoints),
        subscribers: await measureSharedSubscribers(bench.sharedCommand, options.sharedSubscriberPoints),
      },
    }),
    protections: async () => ({
      protections: await measureProtections(bench, rounds, options.protectionCalls),
    }),
    workers: async () => ({ workers: await measureWorkers(bench, rounds, options.httpMilliseconds) }),
    field: async () => ({ field: await measureField(bench, rounds, options.fieldMilliseconds) }),
    auth: async () => ({ auth: await measureAuth(rounds, options.authRequests) }),
    compile: async () => {
      const compile = [];
      for (const tools of options.compileTools) {
        compile.push(await measureCompile(bench, findProject(tools), tools, options.compileRounds));
      }
      return { compile };
    },
    commands: async () => ({
      commands: await measureCommands(bench, findProject(DEV_TOOLS), DEV_TOOLS, options.compileRounds),
    }),
    answers: async () => ({ answers: await measureAnswers(bench) }),
    dev: async () => ({ dev: await measureDevRebuild(findProject(DEV_TOOLS), DEV_TOOLS, options.devEdits) }),
  };
}
