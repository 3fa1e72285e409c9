import type { Application } from "./application.js";
import type { Call } from "./call.js";
import { Connection, type Dispatcher, type Peer } from "./connection.js";
import type { HttpConfig, Limits, ServerConfig } from "./define-server.js";
import { createEntries, type Entries } from "./entries.js";
import { always, missingFeature } from "./entries/plans.js";
import { methodNotFound } from "./modern.js";
import type { FeaturedApplication, Features } from "./features.js";
import type { Handler } from "./handlers.js";
import {
  createIncident,
  type IncidentReporter,
  neutralSentence,
  revealingSentence,
  writeIncident,
} from "./incidents.js";
import { ErrorCode } from "./jsonrpc.js";
import { ProtocolError } from "./errors.js";
import { resolveLimits } from "./limits.js";
import { MANIFEST_VERSION } from "./manifest.js";
import { createNotifier, type ListName, type Notify } from "./notifier.js";
import { createLifecycleMethods } from "./methods/lifecycle.js";
import type { Method, MethodSource } from "./methods/method.js";
import { createToolMethods } from "./methods/tools.js";
import type { Implementation, ServerCapabilities } from "./protocol.js";
import { REVISIONS, type Revision } from "./revisions.js";
import { toolErrorMembers } from "./results.js";
import { createSeal, type Seal } from "./seal.js";
import { TASKS_EXTENSION } from "./tasks/serve-task.js";
import type { Announced } from "./subscriptions.js";

export type {
  Application,
  FeatureName,
  FeatureSet,
  HandlerClass,
  ValidationError,
  Validator,
  Validators,
} from "./application.js";

/** The most entries in one list reply, when the server says nothing else. */
const DEFAULT_PAGE_SIZE = 1000;

/** A server without a transport: it talks to any number of peers at once, in any served revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
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
  const { manifest, features, config = {} } = featured;
  if (manifest.manifestVersion !== MANIFEST_VERSION) {
    throw new Error(
      `The manifest has version ${String(manifest.manifestVersion)}, but this runtime reads version ` +
        `${MANIFEST_VERSION}. Build the project again.`,
    );
  }
  const entries = createEntries(featured);
  const info = describeServer(application);
  const limits = resolveLimits(config.limits);
  const { exposeErrors = false, onIncident = writeIncident } = options;
  const seals = new Map(REVISIONS.map((revision) => [revision, createSeal(revision, info)]));

  const sealOf = (revision: Revision): Seal => {
    const seal = seals.get(revision);
    if (seal === undefined) throw new Error(`No seal for revision ${revision.id}.`);
    return seal;
  };

  const explain = (error: unknown, subject: string, call?: Call): string => {
    // A handler that stops because it was told to is nobody's news.
    if (call?.cancelled === true && isAbort(error)) return `The ${subject} was stopped.`;
    const incident = createIncident(subject, error);
    onIncident(incident);
    const isAuthor = exposeErrors || call?.connection.exposesErrors === true;
    return isAuthor ? revealingSentence(error) : neutralSentence(incident);
  };

  const notifier = config.notifier ?? createNotifier();
  const announced = announcedBy(entries, config);
  const subscriptions = features.changes?.subscriptions(notifier, announced);
  if (subscriptions === undefined && (announced.lists.size > 0 || announced.updates)) {
    throw missingFeature("changes");
  }
  const stateKeys = options.stateKeys ?? process.env.TENON_STATE_KEYS;
  const asking = features.context?.asking({
    application: featured,
    limits,
    serverName: info.name,
    stateKeys,
  });
  const hasTasks = [...entries.tools.values()].some(({ entry }) => entry.task !== undefined);
  if (hasTasks && features.tasks === undefined) throw missingFeature("tasks");
  const tasks = hasTasks ? features.tasks?.store(limits) : undefined;

  const source: MethodSource = {
    tasks,
    info,
    instructions: config.instructions ?? manifest.instructions,
    config,
    entries,
    limits,
    announced,
    subscriptions,
    pageSize: pageSizeOf(config),
    run: asking?.run ?? ((call, handler, args) => handler.invoke(args, call)),
    serveTask: (call, task, run) => {
      if (features.tasks === undefined || tasks === undefined) return run();
      const serving = { store: tasks, forms: asking?.forms ?? new Map(), seal: sealOf(call.revision) };
      return features.tasks.serve(call, task, serving, run);
    },
    sealOf,
    capabilitiesOf: (revision, connection) => {
      const told = revision.era === "legacy" && connection.isBrief ? SILENT : announced;
      return capabilities(entries, features, revision, told);
    },
    explain,
  };
  const methods = createMethods(source, features);

  const dispatcher: Dispatcher = {
    limits,
    notify: notifier,
    explain,
    dispatch: (call) => {
      const method = methods.get(call.method);
      if (method === undefined) throw methodNotFound(call.method, call.revision.era === "modern" ? 404 : 200);
      return method(call);
    },
    expire: (call) => {
      const message = `The call took longer than ${limits.callMs} ms and was stopped.`;
      if (call.method !== "tools/call") throw new ProtocolError(ErrorCode.InternalError, message);
      return sealOf(call.revision).result(toolErrorMembers(message));
    },
    checkHeaderParameters: (params, header) => {
      const tool = typeof params.name === "string" ? entries.tools.get(params.name) : undefined;
      if (tool === undefined || tool.headerParameters.length === 0) return;
      const problem = features.headers?.problem(tool.headerParameters, params.arguments, header);
      if (problem !== undefined) throw new ProtocolError(ErrorCode.HeaderMismatch, problem, undefined, 400);
    },
  };

  const connections = new Set<Connection>();
  return {
    notify: notifier,
    onIncident,
    info,
    limits,
    http: config.http ?? {},
    connect: (peer) => {
      const whole: Peer = exposeErrors ? { ...peer, send: peer.send.bind(peer), exposesErrors: true } : peer;
      const connection: Connection = new Connection(dispatcher, whole, () => connections.delete(connection));
      connections.add(connection);
      return connection;
    },
    close: async () => {
      subscriptions?.close();
      tasks?.close();
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

/** What a server without a feature lacks is no method of it. */
function createMethods(source: MethodSource, features: Features): ReadonlyMap<string, Method> {
  const { prompts, resources, completion, changes, tasks } = features;
  const optional = [prompts, resources, completion, changes, tasks];
  const methods = [createLifecycleMethods(source), createToolMethods(source)];
  for (const feature of optional) if (feature !== undefined) methods.push(feature.methods(source));
  return new Map(methods.flatMap((each) => Object.entries(each)));
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

function describeServer({ manifest, config = {} }: Application): Implementation {
  const info: Implementation = { ...manifest.server };
  if (config.name !== undefined) info.name = config.name;
  if (config.title !== undefined) info.title = config.title;
  if (config.version !== undefined) info.version = config.version;
  if (config.description !== undefined) info.description = config.description;
  if (config.websiteUrl !== undefined) info.websiteUrl = config.websiteUrl;
  if (config.icons !== undefined) info.icons = config.icons;
  return info;
}

/** For clients that cannot be told anything. */
const SILENT: Announced = { lists: new Set(), updates: false };

/** A list without behaviour is the same for as long as the server runs. */
function announcedBy(entries: Entries, config: ServerConfig): Announced {
  const { tools, prompts, resources, templates } = entries;
  const changes = (served: ReadonlyMap<string, { isEnabled: () => boolean }>): boolean =>
    [...served.values()].some(({ isEnabled }) => isEnabled !== always);
  const listing = [...templates.values()].some(({ list }) => list !== undefined);
  const lists = new Set<ListName>();
  if (changes(tools)) lists.add("tools");
  if (changes(prompts)) lists.add("prompts");
  if (changes(resources) || changes(templates) || listing) lists.add("resources");
  const tellsUpdates =
    config.notifier !== undefined || allServed(entries).some(({ handler }) => handler.usesContext);
  return { lists, updates: resources.size + templates.size > 0 && tellsUpdates };
}

function allServed({ tools, prompts, resources, templates }: Entries): { handler: Handler }[] {
  return [...tools.values(), ...prompts.values(), ...resources.values(), ...templates.values()];
}

function pageSizeOf({ pageSize = DEFAULT_PAGE_SIZE }: ServerConfig): number {
  if (Number.isSafeInteger(pageSize) && pageSize > 0) return pageSize;
  throw new TypeError(`pageSize must be a positive whole number (got ${String(pageSize)})`);
}

/** Only what the server really does: clients show and ask for what is claimed here. */
function capabilities(
  entries: Entries,
  features: Features,
  revision: Revision,
  announced: Announced,
): ServerCapabilities {
  const { tools, prompts, resources, templates } = entries;
  const { lists, updates } = announced;
  const listChanged = (list: ListName): object => (lists.has(list) ? { listChanged: true } : {});
  const claims: ServerCapabilities = {};
  if (allServed(entries).some(({ handler }) => handler.usesContext)) claims.logging = {};
  if (revision.completionsCapability && features.completion?.hasAny(entries) === true)
    claims.completions = {};
  if (prompts.size > 0) claims.prompts = listChanged("prompts");
  if (resources.size + templates.size > 0) {
    claims.resources = { ...(updates ? { subscribe: true } : {}), ...listChanged("resources") };
  }
  if (tools.size > 0) claims.tools = listChanged("tools");
  if (revision.era === "modern" && [...tools.values()].some(({ entry }) => entry.task !== undefined)) {
    claims.extensions = { [TASKS_EXTENSION]: {} };
  }
  return claims;
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
