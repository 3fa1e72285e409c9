/**
 * What differs between protocol revisions, as data. Supporting a new revision means adding a row here and
 * the code of any method that it introduces; nothing else asks for a revision by name.
 *
 * @see https://modelcontextprotocol.io/specification/versioning
 * @module
 */
import { ErrorCode } from "./jsonrpc.js";
import type { Content } from "./protocol.js";

/** Legacy revisions open with `initialize`; modern requests each carry their own `_meta`. */
export type Era = "legacy" | "modern";

export interface Revision {
  /** As it appears on the wire, such as `"2025-11-25"`. */
  readonly id: string;
  readonly era: Era;
  /** The requests a client may send. */
  readonly methods: ReadonlySet<string>;
  /** JSON-RPC batches may be received. */
  readonly batches: boolean;
  /** The kinds of content block a client of this revision knows. */
  readonly content: ReadonlySet<Content["type"]>;
  /** Which values `structuredContent` may hold, and with it the root of an `outputSchema`. */
  readonly structuredContent: "none" | "object" | "any";
  /** Members that this revision's own types lack, by type; they are left out of what is sent. */
  readonly lacks: {
    readonly implementation: readonly string[];
    readonly tool: readonly string[];
    readonly prompt: readonly string[];
    readonly promptArgument: readonly string[];
    readonly resource: readonly string[];
    readonly content: readonly string[];
    readonly annotations: readonly string[];
  };
  /** Where the title of a tool may go, when the type itself has none. */
  readonly toolTitle: "member" | "annotation" | "none";
  /** The code of a `resources/read` that finds nothing. */
  readonly resourceNotFound: number;
  /** The `id` of an error whose request could not be read: JSON-RPC asks for `null`, newer revisions for none. */
  readonly unreadableId: null | undefined;
  /** `completions` is a capability of its own. */
  readonly completionsCapability: boolean;
  /** `notifications/progress` may carry a `message`. */
  readonly progressMessage: boolean;
  /** What a client can be asked that declares the capability. */
  readonly asks: {
    /** Requests of the server's own, or questions in a result that the client answers with a retry. */
    readonly by: "request" | "retry";
    /** `plain` forms have no titled or multiple choices, and defaults for booleans only. */
    readonly form: "none" | "plain" | "full";
    readonly url: "none" | "with-id" | "without-id";
    /** A sampling message may hold several blocks of content. */
    readonly contentLists: boolean;
  };
  /** Clients know an event without data as the beginning of a stream that may end early and be taken up again. */
  readonly polledStreams: boolean;
}

const BASE_METHODS = [
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
] as const;

const LEGACY_METHODS = new Set([
  ...BASE_METHODS,
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);
const MODERN_METHODS = new Set([
  ...BASE_METHODS,
  "server/discover",
  "subscriptions/listen",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
]);

const NOTHING: readonly string[] = [];

const R_2024_11_05: Revision = {
  id: "2024-11-05",
  era: "legacy",
  methods: LEGACY_METHODS,
  batches: false,
  content: new Set(["text", "image", "resource"]),
  structuredContent: "none",
  lacks: {
    implementation: ["title", "description", "websiteUrl", "icons"],
    tool: ["title", "icons", "annotations", "outputSchema", "_meta"],
    prompt: ["title", "icons", "_meta"],
    promptArgument: ["title"],
    resource: ["title", "icons", "_meta"],
    content: ["_meta"],
    annotations: ["lastModified"],
  },
  toolTitle: "none",
  resourceNotFound: ErrorCode.ResourceNotFound,
  unreadableId: null,
  completionsCapability: false,
  progressMessage: false,
  polledStreams: false,
  asks: { by: "request", form: "none", url: "none", contentLists: false },
};

const R_2025_03_26: Revision = {
  ...R_2024_11_05,
  id: "2025-03-26",
  batches: true,
  content: new Set(["text", "image", "audio", "resource"]),
  lacks: { ...R_2024_11_05.lacks, tool: ["title", "icons", "outputSchema", "_meta"] },
  toolTitle: "annotation",
  completionsCapability: true,
  progressMessage: true,
};

const R_2025_06_18: Revision = {
  ...R_2025_03_26,
  id: "2025-06-18",
  batches: false,
  content: new Set(["text", "image", "audio", "resource", "resource_link"]),
  structuredContent: "object",
  lacks: {
    implementation: ["description", "websiteUrl", "icons"],
    tool: ["icons"],
    prompt: ["icons"],
    promptArgument: NOTHING,
    resource: ["icons"],
    content: NOTHING,
    annotations: NOTHING,
  },
  toolTitle: "member",
  asks: { by: "request", form: "plain", url: "none", contentLists: false },
};

const R_2025_11_25: Revision = {
  ...R_2025_06_18,
  id: "2025-11-25",
  lacks: {
    implementation: NOTHING,
    tool: NOTHING,
    prompt: NOTHING,
    promptArgument: NOTHING,
    resource: NOTHING,
    content: NOTHING,
    annotations: NOTHING,
  },
  unreadableId: undefined,
  polledStreams: true,
  asks: { by: "request", form: "full", url: "with-id", contentLists: true },
};

const R_2026_07_28: Revision = {
  ...R_2025_11_25,
  id: "2026-07-28",
  era: "modern",
  methods: MODERN_METHODS,
  structuredContent: "any",
  resourceNotFound: ErrorCode.InvalidParams,
  asks: { by: "retry", form: "full", url: "without-id", contentLists: true },
};

/** Every revision served, oldest first. */
export const REVISIONS: readonly Revision[] = [
  R_2024_11_05,
  R_2025_03_26,
  R_2025_06_18,
  R_2025_11_25,
  R_2026_07_28,
];

const BY_ID: ReadonlyMap<string, Revision> = new Map(REVISIONS.map((revision) => [revision.id, revision]));

/** The revision of that name, if it is served. */
export function findRevision(id: string, era?: Era): Revision | undefined {
  const revision = BY_ID.get(id);
  return era === undefined || revision?.era === era ? revision : undefined;
}

/** The names of the served revisions of one era, newest first. */
export function revisionIds(era: Era): string[] {
  return REVISIONS.filter((revision) => revision.era === era)
    .map((revision) => revision.id)
    .toReversed();
}

/** What a legacy client gets that asks for a revision not served here. */
export const LATEST_LEGACY: Revision = R_2025_11_25;

/** The newest revision served. */
export const LATEST: Revision = R_2026_07_28;

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION: Revision = R_2025_03_26;
