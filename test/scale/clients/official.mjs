import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/**
 * A client's answer to a request for input: a result, now or later.
 *
 * @typedef {object} Answers
 * @property {(message: string) => Promise<object> | object} elicit
 * @property {() => Promise<object> | object} [sample]
 *
 * @typedef {{ progress: number, total?: number | undefined, message?: string | undefined }} Progress
 * @typedef {object} CallOptions
 * @property {(progress: Progress) => void} [onprogress]
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Connecting
 * @property {Answers} [answers] Without them, the client accepts no questions.
 * @property {typeof fetch} [fetch]
 * @property {Record<string, string>} [headers]
 *
 * An official client, whichever it is.
 * @typedef {object} OfficialClient
 * @property {{ method: string, params: any }[]} heard The received notifications.
 * @property {(name: string, args?: object, options?: CallOptions) => Promise<any>} call
 * @property {(level: "debug" | "warning" | "error") => Promise<unknown>} setLevel Of a legacy session.
 * @property {(uri: string) => Promise<unknown>} watch Subscribes to changes of lists and of one resource. In
 * 2026-07-28, the result's `closed` resolves when the subscription has ended.
 * @property {(uri: string) => Promise<unknown>} unwatch
 * @property {(uri: string) => Promise<any>} read
 * @property {() => Promise<unknown>} listTools
 * @property {() => string | undefined} session
 * @property {() => Promise<void>} terminate Ends the session.
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Combination
 * @property {string} name
 * @property {"legacy" | "modern"} era
 * @property {(url: URL, connecting?: Connecting) => Promise<OfficialClient>} connect
 */

const INFO = { name: "scale", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };
const ROOTS = { roots: [{ uri: "file:///work" }] };

/** Reconnects soon, and for as long as a test may run. */
const RECONNECTION = {
  initialReconnectionDelay: 20,
  maxReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 200,
};

/** The time limit of requests, which is longer than any test. */
const PATIENCE = { timeout: 150_000 };

/** @type {Combination[]} */
export const COMBINATIONS = [
  { name: "SDK 1.x", era: "legacy", connect: connectV1 },
  {
    name: "client 2.x (legacy)",
    era: "legacy",
    connect: (url, connecting) => connectV2(url, "legacy", connecting),
  },
  {
    name: "client 2.x (2026-07-28)",
    era: "modern",
    connect: (url, connecting) => connectV2(url, "auto", connecting),
  },
];

/** @param {Connecting} connecting */
function transportOptions({ fetch: send, headers = {} }) {
  return { reconnectionOptions: RECONNECTION, requestInit: { headers }, ...(send && { fetch: send }) };
}

/** @param {URL} url @param {Connecting} [connecting] @returns {Promise<OfficialClient>} */
async function connectV1(url, connecting = {}) {
  const { answers } = connecting;
  const client = new ClientV1(INFO, { capabilities: answers === undefined ? {} : CAPABILITIES });
  const transport = new HttpV1(url, transportOptions(connecting));
  if (answers !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await answers.elicit(params.message));
    client.setRequestHandler(
      CreateMessageRequestSchema,
      async () => /** @type {any} */ (await answers.sample?.()),
    );
    client.setRequestHandler(ListRootsRequestSchema, async () => ROOTS);
  }
  const heard = recordNotifications(client);
  await client.connect(/** @type {any} */ (transport));
  return {
    heard,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: /** @type {any} */ (args) }, undefined, { ...PATIENCE, ...options }),
    setLevel: (level) => client.setLoggingLevel(level),
    watch: (uri) => client.subscribeResource({ uri }),
    unwatch: (uri) => client.unsubscribeResource({ uri }),
    read: (uri) => client.readResource({ uri }),
    listTools: () => client.listTools(),
    session: () => transport.sessionId,
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

/**
 * @param {URL} url @param {"legacy" | "auto"} mode @param {Connecting} [connecting]
 * @returns {Promise<OfficialClient>}
 */
async function connectV2(url, mode, connecting = {}) {
  const { answers } = connecting;
  const client = new ClientV2(INFO, {
    capabilities: answers === undefined ? {} : CAPABILITIES,
    versionNegotiation: { mode },
  });
  const transport = new HttpV2(url, transportOptions(connecting));
  if (answers !== undefined) {
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => /** @type {any} */ (await answers.elicit(params.message)),
    );
    client.setRequestHandler(
      "sampling/createMessage",
      async () => /** @type {any} */ (await answers.sample?.()),
    );
    client.setRequestHandler("roots/list", async () => ROOTS);
  }
  const heard = recordNotifications(client);
  await client.connect(transport);
  const isModern = client.getProtocolEra() === "modern";
  /** @type {Map<string, { close(): Promise<void> }>} */
  const subscriptions = new Map();
  return {
    heard,
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: /** @type {any} */ (args) }, { ...PATIENCE, ...options }),
    setLevel: (level) => client.setLoggingLevel(level),
    watch: async (uri) => {
      if (!isModern) return client.subscribeResource({ uri });
      const wanted = { toolsListChanged: true, resourceSubscriptions: [uri] };
      const subscription = await client.listen(wanted, PATIENCE);
      subscriptions.set(uri, subscription);
      return subscription;
    },
    unwatch: async (uri) =>
      isModern ? subscriptions.get(uri)?.close() : client.unsubscribeResource({ uri }),
    read: (uri) => client.readResource({ uri }),
    listTools: () => client.listTools(),
    session: () => transport.sessionId,
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

/** @param {{ fallbackNotificationHandler?: any }} client */
function recordNotifications(client) {
  /** @type {{ method: string, params: any }[]} */
  const heard = [];
  client.fallbackNotificationHandler = async (/** @type {any} */ { method, params }) => {
    heard.push({ method, params });
  };
  return heard;
}
