import type { Application } from "./application.js";
import type { Call } from "./call.js";
import { Connection, type Dispatcher, type Peer } from "./connection.js";
import type { HttpConfig, Limits } from "./define-server.js";
import { createEntries, type Entries } from "./entries.js";
import { methodNotFound } from "./modern.js";
import { headerParameterProblem } from "./headers.js";
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
import { createCompletionMethods, hasCompletions } from "./methods/completion.js";
import { createLifecycleMethods } from "./methods/lifecycle.js";
import type { Method, MethodSource } from "./methods/method.js";
import { createPromptMethods } from "./methods/prompts.js";
import { createResourceMethods } from "./methods/resources.js";
import { createToolMethods } from "./methods/tools.js";
import type { Implementation, ServerCapabilities } from "./protocol.js";
import { REVISIONS, type Revision } from "./revisions.js";
import { createSeal, type Seal } from "./seal.js";

export type { Application, HandlerClass, ValidationError, Validator, Validators } from "./application.js";

/** A server without a transport: it talks to any number of peers at once, in any served revision. */
export interface Server {
  readonly info: Implementation;
  readonly limits: Limits;
  readonly http: HttpConfig;
  /** Opens the conversation with one peer. */
  connect(peer: Peer): Connection;
  /**
   * Closes every connection, telling handlers still at work to stop, and disposes of the handlers' instances
   * that have `Symbol.asyncDispose` or `Symbol.dispose`.
   */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Lets every peer read what handlers throw. For development only: the text may hold paths and secrets. */
  exposeErrors?: boolean;
  /** Receives the errors that clients do not get to read. Default: stderr. */
  onIncident?: IncidentReporter;
}

/**
 * Makes a server of what the compiler emitted. All that can be computed once is computed here.
 *
 * @throws Error when manifest, classes and validators do not belong together, or a class cannot be constructed.
 * @example
 * const server = createServer({ manifest, validators, classes });
 * await serve(server, process.argv.slice(2));
 */
export function createServer(application: Application, options: ServerOptions = {}): Server {
  const { manifest, config = {} } = application;
  if (manifest.manifestVersion !== MANIFEST_VERSION) {
    throw new Error(
      `The manifest has version ${String(manifest.manifestVersion)}, but this runtime reads version ` +
        `${MANIFEST_VERSION}. Build the project again.`,
    );
  }
  const entries = createEntries(application);
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
    const incident = createIncident(subject, error);
    onIncident(incident);
    const isAuthor = exposeErrors || call?.connection.exposesErrors === true;
    return isAuthor ? revealingSentence(error) : neutralSentence(incident);
  };

  const source: MethodSource = {
    info,
    instructions: config.instructions ?? manifest.instructions,
    config,
    entries,
    sealOf,
    capabilitiesOf: (revision) => capabilities(entries, revision),
    explain,
  };
  const methods: ReadonlyMap<string, Method> = new Map(
    Object.entries({
      ...createLifecycleMethods(source),
      ...createToolMethods(source),
      ...createPromptMethods(source),
      ...createResourceMethods(source),
      ...createCompletionMethods(source),
    }),
  );

  const dispatcher: Dispatcher = {
    limits,
    explain,
    dispatch: (call) => {
      const method = methods.get(call.method);
      if (method === undefined) throw methodNotFound(call.method, 200);
      return method(call);
    },
    checkHeaderParameters: (params, header) => {
      const tool = typeof params.name === "string" ? entries.tools.get(params.name) : undefined;
      if (tool === undefined || tool.headerParameters.length === 0) return;
      const problem = headerParameterProblem(tool.headerParameters, params.arguments, header);
      if (problem !== undefined) throw new ProtocolError(ErrorCode.HeaderMismatch, problem, undefined, 400);
    },
  };

  const connections = new Set<Connection>();
  return {
    info,
    limits,
    http: config.http ?? {},
    connect: (peer) => {
      const whole = exposeErrors ? { send: peer.send.bind(peer), exposesErrors: true } : peer;
      const connection: Connection = new Connection(dispatcher, whole, () => connections.delete(connection));
      connections.add(connection);
      return connection;
    },
    close: async () => {
      for (const connection of connections) connection.close("The server is shutting down.");
      await disposeAll(entries.owners);
    },
  };
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

/** Only what the server really does: clients show and ask for what is claimed here. */
function capabilities(entries: Entries, revision: Revision): ServerCapabilities {
  const { tools, prompts, resources, templates } = entries;
  const served = [...tools.values(), ...prompts.values(), ...resources.values(), ...templates.values()];
  const claims: ServerCapabilities = {};
  if (served.some((each) => each.handler.usesContext)) claims.logging = {};
  if (revision.completionsCapability && hasCompletions(entries)) claims.completions = {};
  if (prompts.size > 0) claims.prompts = {};
  if (resources.size + templates.size > 0) claims.resources = {};
  if (tools.size > 0) claims.tools = {};
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
