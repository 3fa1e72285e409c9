/**
 * What each protocol revision changed, oldest first. Supporting a revision means adding a row at the end, and the code
 * of whatever it brings: the rows before it stay as they are, since what a revision adds is missing from all of them.
 *
 * @see https://modelcontextprotocol.io/specification/versioning
 * @module
 */
import * as ErrorCode from "./error-codes.js";

/** Legacy revisions open with `initialize`; modern requests each carry their own `_meta`. */
export type Era = "legacy" | "modern";

/** In what revisions differ, apart from what they have and have not. */
export interface RevisionTraits {
  readonly era: Era;
  /** JSON-RPC batches may be received. */
  readonly batches: boolean;
  /** Which values `structuredContent` may hold, and with it the root of an `outputSchema`. */
  readonly structuredContent: "none" | "object" | "any";
  /** The code of a `resources/read` that finds nothing. */
  readonly resourceNotFound: number;
  /** The status with which Streamable HTTP carries the error of an unknown method. */
  readonly methodNotFoundStatus: 200 | 404;
  /** The `id` of an error whose request could not be read: JSON-RPC asks for `null`, newer revisions for none. */
  readonly unreadableId: null | undefined;
  /** `completions` is a capability of its own. */
  readonly completionsCapability: boolean;
  /** `notifications/progress` may carry a `message`. */
  readonly progressMessage: boolean;
  /** Where clients say which log messages they want: for the session, or in the `_meta` of each request. */
  readonly logLevelOf: "session" | "request";
  /** How clients hear of changes: unasked, for as long as their session lasts, or by a request for it. */
  readonly changesBy: "session" | "request";
  /** How a call fails whose client did not declare a capability that it needs. */
  readonly missingCapability: "tool-error" | "protocol-error";
  /**
   * Which scopes a caller is told of who lacks some: all that the operation needs, or those that the caller has as well,
   * which newer clients add themselves.
   */
  readonly challengedScopes: "operation-and-granted" | "operation";
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
  /** Results say of what type they are, and in `_meta` which server made them. */
  readonly resultTypes: boolean;
  /** Results that clients may keep say for how long. */
  readonly cacheHints: boolean;
  /** The tasks extension may be negotiated. */
  readonly tasks: boolean;
  /** Clients know an event without data as the beginning of a stream that may end early and be taken up again. */
  readonly polledStreams: boolean;
}

/** What may come and go with revisions. */
export interface RevisionParts {
  /** Requests a client may send. */
  readonly methods: readonly string[];
  /** Members, whatever they belong to. */
  readonly members: readonly string[];
  /** Members of an `Implementation`, which others have always had. */
  readonly implementation: readonly string[];
  /** Members of a `Tool`, which others have always had. */
  readonly tool: readonly string[];
}

/** One revision by its changes: of what it does not name, the row before it holds. */
export interface RevisionRow extends Partial<RevisionTraits> {
  /** As it appears on the wire, such as `"2025-11-25"`. */
  readonly id: string;
  /** What the revisions before it do not have. */
  readonly adds?: Partial<RevisionParts>;
  /** What they have, and this one and those after it do not. */
  readonly removes?: Partial<RevisionParts>;
}

export const FIRST_REVISION = {
  id: "2024-11-05",
  era: "legacy",
  batches: false,
  structuredContent: "none",
  resourceNotFound: ErrorCode.ResourceNotFound,
  methodNotFoundStatus: 200,
  unreadableId: null,
  completionsCapability: false,
  progressMessage: false,
  logLevelOf: "session",
  changesBy: "session",
  missingCapability: "tool-error",
  challengedScopes: "operation-and-granted",
  asks: { by: "request", form: "none", url: "none", contentLists: false },
  resultTypes: false,
  cacheHints: false,
  tasks: false,
  polledStreams: false,
} as const satisfies RevisionRow & RevisionTraits;

export const LATER_REVISIONS = [
  {
    id: "2025-03-26",
    batches: true,
    completionsCapability: true,
    progressMessage: true,
    adds: { tool: ["annotations"] },
  },
  {
    id: "2025-06-18",
    batches: false,
    structuredContent: "object",
    asks: { by: "request", form: "plain", url: "none", contentLists: false },
    adds: { members: ["title", "outputSchema", "lastModified", "_meta"] },
  },
  {
    id: "2025-11-25",
    unreadableId: undefined,
    asks: { by: "request", form: "full", url: "with-id", contentLists: true },
    polledStreams: true,
    adds: { members: ["icons", "websiteUrl"], implementation: ["description"] },
  },
  {
    id: "2026-07-28",
    era: "modern",
    structuredContent: "any",
    resourceNotFound: ErrorCode.InvalidParams,
    methodNotFoundStatus: 404,
    logLevelOf: "request",
    changesBy: "request",
    missingCapability: "protocol-error",
    challengedScopes: "operation",
    asks: { by: "retry", form: "full", url: "without-id", contentLists: true },
    resultTypes: true,
    cacheHints: true,
    tasks: true,
    adds: {
      methods: ["server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"],
    },
    removes: {
      methods: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    },
  },
] as const satisfies readonly RevisionRow[];

export type RevisionId = typeof FIRST_REVISION.id | (typeof LATER_REVISIONS)[number]["id"];

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION_ID: RevisionId = "2025-03-26";
