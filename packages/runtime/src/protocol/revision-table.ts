/**
 * Changes of each protocol revision, oldest first. To support a revision, add a row at the end and the code for what
 * it adds. Earlier rows stay unchanged: they automatically lack what a later revision adds.
 *
 * @see https://modelcontextprotocol.io/specification/versioning
 * @module
 */
import * as ErrorCode from "./error-codes.js";

/** Protocol era. Legacy revisions start with `initialize`; modern requests each carry their own `_meta`. */
export type Era = "legacy" | "modern";

/** Traits in which revisions differ, apart from added and removed parts. */
export interface RevisionTraits {
  readonly era: Era;
  /** Whether the server accepts JSON-RPC batches. */
  readonly acceptsBatches: boolean;
  /** Values that `structuredContent` may have, and therefore the root type of an `outputSchema`. */
  readonly structuredContent: "none" | "object" | "any";
  /** Error code of a `resources/read` that finds nothing. */
  readonly resourceNotFound: number;
  /** HTTP status of the error for an unknown method, over Streamable HTTP. */
  readonly methodNotFoundStatus: 200 | 404;
  /** `id` of an error whose request could not be read: `null` in JSON-RPC, absent in newer revisions. */
  readonly unreadableId: null | undefined;
  /** Whether `completions` is a separate capability. */
  readonly hasCompletionsCapability: boolean;
  /** Whether `notifications/progress` may carry a `message`. */
  readonly hasProgressMessages: boolean;
  /** Scope of the log level that a client sets: its session, or one request (in `_meta`). */
  readonly logLevelScope: "session" | "request";
  /** Way in which clients receive change notifications: unrequested for the whole session, or through a request. */
  readonly changeDelivery: "session" | "request";
  /** Kind of failure of a call that needs a capability that the client did not declare. */
  readonly missingCapability: "tool-error" | "protocol-error";
  /**
   * Scopes that the server names to a caller that lacks some: those that the operation needs, alone or together with
   * those that the caller has. Newer clients add the latter themselves.
   */
  readonly challengedScopes: "operation-and-granted" | "operation";
  /** Requests that the server can send to a client with the capability. */
  readonly clientRequests: {
    /**
     * `request`: the server sends its own requests. `retry`: it returns questions in a result, and the client answers
     * with a retry.
     */
    readonly by: "request" | "retry";
    /** `plain` forms have no titled or multiple choices, and defaults only for booleans. */
    readonly form: "none" | "plain" | "full";
    readonly url: "none" | "with-id" | "without-id";
    /** Whether a sampling message may have several blocks of content. */
    readonly acceptsContentLists: boolean;
  };
  /** Whether results state their type, and in `_meta` the server that made them. */
  readonly hasResultTypes: boolean;
  /** Whether cacheable results state how long clients may keep them. */
  readonly hasCacheHints: boolean;
  /** Whether the tasks extension may be negotiated. */
  readonly hasTasks: boolean;
  /** Whether clients accept an event without data as the start of a stream that may end early and be resumed. */
  readonly hasPolledStreams: boolean;
}

/** Parts that revisions add and remove. */
export interface RevisionParts {
  /** Requests that a client may send. */
  readonly methods: readonly string[];
  /** Members of any object. */
  readonly members: readonly string[];
  /** Members of an `Implementation` only; other objects have always had them. */
  readonly implementation: readonly string[];
  /** Members of a `Tool` only; other objects have always had them. */
  readonly tool: readonly string[];
}

/** A revision, described by its changes. Everything that it does not name stays as in the row before. */
export interface RevisionRow extends Partial<RevisionTraits> {
  /** As it appears on the wire, such as `"2025-11-25"`. */
  readonly id: string;
  /** Parts that earlier revisions lack. */
  readonly adds?: Partial<RevisionParts>;
  /** Parts of earlier revisions that this one and later ones lack. */
  readonly removes?: Partial<RevisionParts>;
}

export const FIRST_REVISION = {
  id: "2024-11-05",
  era: "legacy",
  acceptsBatches: false,
  structuredContent: "none",
  resourceNotFound: ErrorCode.ResourceNotFound,
  methodNotFoundStatus: 200,
  unreadableId: null,
  hasCompletionsCapability: false,
  hasProgressMessages: false,
  logLevelScope: "session",
  changeDelivery: "session",
  missingCapability: "tool-error",
  challengedScopes: "operation-and-granted",
  clientRequests: { by: "request", form: "none", url: "none", acceptsContentLists: false },
  hasResultTypes: false,
  hasCacheHints: false,
  hasTasks: false,
  hasPolledStreams: false,
} as const satisfies RevisionRow & RevisionTraits;

export const LATER_REVISIONS = [
  {
    id: "2025-03-26",
    acceptsBatches: true,
    hasCompletionsCapability: true,
    hasProgressMessages: true,
    adds: { tool: ["annotations"] },
  },
  {
    id: "2025-06-18",
    acceptsBatches: false,
    structuredContent: "object",
    clientRequests: { by: "request", form: "plain", url: "none", acceptsContentLists: false },
    adds: { members: ["title", "outputSchema", "lastModified", "_meta"] },
  },
  {
    id: "2025-11-25",
    unreadableId: undefined,
    clientRequests: { by: "request", form: "full", url: "with-id", acceptsContentLists: true },
    hasPolledStreams: true,
    adds: { members: ["icons", "websiteUrl"], implementation: ["description"] },
  },
  {
    id: "2026-07-28",
    era: "modern",
    structuredContent: "any",
    resourceNotFound: ErrorCode.InvalidParams,
    methodNotFoundStatus: 404,
    logLevelScope: "request",
    changeDelivery: "request",
    missingCapability: "protocol-error",
    challengedScopes: "operation",
    clientRequests: { by: "retry", form: "full", url: "without-id", acceptsContentLists: true },
    hasResultTypes: true,
    hasCacheHints: true,
    hasTasks: true,
    adds: {
      methods: [
        "server/discover",
        "subscriptions/listen",
        "tasks/get",
        "tasks/update",
        "tasks/cancel",
        "skills/list",
        "skills/get",
        "resources/directory/read",
      ],
    },
    removes: {
      methods: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    },
  },
] as const satisfies readonly RevisionRow[];

export type RevisionId = typeof FIRST_REVISION.id | (typeof LATER_REVISIONS)[number]["id"];

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION_ID: RevisionId = "2025-03-26";
