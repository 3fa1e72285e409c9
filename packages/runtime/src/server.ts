import type { Application, FeatureSet } from "./assembly/application.js";
import { Connection, type Dispatcher, type Peer } from "./connection/connection.js";
import type { HttpConfig, Limits } from "./api/define-server.js";
import { createEntries } from "./assembly/entries.js";
import { needed, outdated } from "./assembly/plans.js";
import type { FeaturedApplication } from "./features.js";
import {
  createIncident,
  type IncidentReporter,
  neutralSentence,
  revealingSentence,
  writeIncident,
} from "./connection/internal-errors.js";
import { MANIFEST_VERSION } from "./manifest.js";
import { lifecycle } from "./methods/lifecycle.js";
import { type Method, type MethodSource, type Part, runHandler } from "./methods/method.js";
import { tools } from "./methods/tools.js";
import { methodNotFound } from "./connection/modern-request.js";
import type { Notify } from "./api/notifier.js";
import type { Implementation } from "./protocol/specification.js";
import type { Revision } from "./protocol/revisions.js";
import { createSeal, type Seal } from "./protocol/result-envelope.js";
import { defaultSettings } from "./assembly/settings.js";

export type {
  Application,
  FeatureName,
  FeatureSet,
  HandlerClass,
  ValidationError,
  Validator,
  Validators,
} from "./assembly/application.js";

/** A server without a transport: it talks to any number of peers at once, in any served revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
  readonly features: FeatureSet;
  /**
   * Tells clients that a list or a resource changed. Clients can subscribe to resources only of a server that has a
   * `notifier` or a handler with a `Context`: of others they are told that nothing will be said.
   */
  readonly notify: Notify;
  /** Takes the errors that clients do not get to read. */
  readonly onIncident: IncidentReporter;
  /** Opens the conversation with one peer. */
  connect(peer: Peer): Connection;
  /**
   * Ends subscriptions, closes every connection, telling handlers still at work to stop, and disposes of the handlers' instances
   * that have `Symbol.asyncDispose` or `Symbol.dispose`.
   */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Lets every peer read what handlers throw. For development only: the text may hold paths and secrets. */
  exposeErrors?: boolean;
  /** Receives the errors that clients do not get to read. Default: stderr. */
  onIncident?: IncidentReporter;
  /**
   * The keys that protect what modern clients carry between the rounds of a call, comma-separated: the first
   * seals, all open. Instances that serve the same clients need the same. Default: `TENON_STATE_KEYS` of the
   * environment, else a key of this process.
   */
  stateKeys?: string;
}

const nothing = (): void => {};

/** Of a server in which nothing that clients could hear of ever changes. */
const UNHEARD: Notify = {
  toolsChanged: nothing,
  promptsChanged: nothing,
  resourcesChanged: nothing,
  resourceUpdated: nothing,
};

/**
 * Makes a server of what the compiler emitted. All that can be computed once is computed here.
 *
 * @throws Error when manifest, classes and validators do not belong together, or a class cannot be constructed.
 * @example
 * const server = createServer({ manifest, validators, classes, features: { prompts } });
 * await serve(server, process.argv.slice(2));
 */
export function createServer(application: Application, options: ServerOptions = {}): Server {
  // Whoever has a feature got it from `@tenon/runtime/features`: its type is told to nobody else.
  const featured = application as FeaturedApplication;
  const { manifest, features, config } = featured;
  const { manifestVersion } = manifest;
  if (manifestVersion !== MANIFEST_VERSION) {
    throw outdated(
      `The manifest has version ${String(manifestVersion)}, but this runtime reads version ${MANIFEST_VERSION}.`,
    );
  }
  const settings =
    config === undefined
      ? defaultSettings(manifest)
      : needed(features, "configuration").configure(manifest, config);
  const { info, limits, http } = settings;
  const entries = createEntries(featured, settings);
  const { exposeErrors = false, onIncident = writeIncident } = options;

  const seals = new Map<Revision, Seal>();
  const seal: MethodSource["seal"] = (revision, members, meta, type) => {
    let close = seals.get(revision);
    if (close === undefined) seals.set(revision, (close = createSeal(revision, info)));
    return close(members, meta, type);
  };

  const explain: MethodSource["explain"] & Dispatcher["explain"] = (error, subject, call) => {
    // A handler that stops because it was told to is nobody's news.
    if (call?.cancelled === true && isAbort(error)) return `The ${subject} was stopped.`;
    const incident = createIncident(subject, error);
    onIncident(incident);
    const isAuthor = exposeErrors || call?.connection.peer.exposesErrors === true;
    return isAuthor ? revealingSentence(error) : neutralSentence(incident);
  };

  const notifier = settings.notifier ?? features.changes?.notifier();
  const subscriptions = notifier && features.changes?.subscriptions(entries, settings, notifier);
  const asking = features.context?.asking({
    application: featured,
    limits,
    serverName: info.name,
    stateKeys: options.stateKeys ?? process.env.TENON_STATE_KEYS,
    seal,
  });
  const tasks = features.tasks?.create(entries, limits, asking?.forms ?? new Map(), seal);
  // Some features are parts of the server, others what its parts make use of.
  const parts: Partial<Part>[] = [lifecycle, tools, ...(Object.values(features) as Partial<Part>[])];
  const source: MethodSource = {
    parts,
    features,
    settings,
    entries,
    subscriptions,
    tasks,
    run: asking?.run ?? runHandler,
    seal,
    explain,
  };
  const methods = new Map<string, Method>();
  for (const part of parts) {
    for (const [name, method] of Object.entries(part.methods?.(source) ?? {})) {
      methods.set(name, settings.timed?.(method, source) ?? method);
    }
  }

  const notify = notifier ?? UNHEARD;
  const dispatcher: Dispatcher = {
    limits,
    notify,
    explain,
    dispatch: (call) => {
      const method = methods.get(call.method);
      // What a server without a feature lacks is no method of it.
      if (method === undefined || call.revision.lacks.methods.includes(call.method))
        throw methodNotFound(call);
      return method(call);
    },
    checkHeaderParameters: features.headers?.createCheck(entries.tools),
  };

  const connections = new Set<Connection>();
  return {
    notify,
    onIncident,
    info,
    limits,
    http,
    features,
    connect: (peer) => {
      const whole: Peer = exposeErrors ? { ...peer, send: peer.send.bind(peer), exposesErrors: true } : peer;
      const connection: Connection = new Connection(dispatcher, whole, () => connections.delete(connection));
      connections.add(connection);
      return connection;
    },
    close: async () => {
      subscriptions?.close();
      tasks?.store.close();
      for (const connection of connections) connection.finish();
      // What has just been finished is sent before its connection goes.
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      for (const connection of connections) connection.close("The server is shutting down.");
      await disposeAll(entries.owners);
    },
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

async function disposeAll(owners: ReadonlySet<object>): Promise<void> {
  for (const owner of owners) {
    const { [Symbol.asyncDispose]: disposeLater, [Symbol.dispose]: dispose } = owner as Partial<
      AsyncDisposable & Disposable
    >;
    try {
      await (disposeLater ?? dispose)?.call(owner);
    } catch (error) {
      writeIncident(createIncident(`disposal of ${owner.constructor.name}`, error));
    }
  }
}
