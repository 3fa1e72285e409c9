/**
 * What differs between protocol revisions, as data. Supporting a new revision means adding a row here and
 * the code of any method that it introduces; nothing else asks for a revision by name.
 *
 * @see https://modelcontextprotocol.io/specification/versioning
 * @module
 */
import * as ErrorCode from "./error-codes.js";
import type { Content } from "./specification.js";

/** Legacy revisions open with `initialize`; modern requests each carry their own `_meta`. */
export type Era = "legacy" | "modern";

export interface Revision {
  /** As it appears on the wire, such as `"2025-11-25"`. */
  readonly id: string;
  readonly era: Era;
  /** JSON-RPC batches may be received. */
  readonly batches: boolean;
  /** The kinds of content block a client of this revision knows. */
  readonly content: readonly Content["type"][];
  /** Which values `structuredContent` may hold, and with it the root of an `outputSchema`. */
  readonly structuredContent: "none" | "object" | "any";
  /** What other revisions have and this one has not: it is not answered, and left out of what is sent. */
  readonly lacks: {
    /** Requests a client may send. */
    readonly methods: readonly string[];
    /** Members, whatever they belong to. */
    readonly members: readonly string[];
    /** Members of these, which others have always had. */
    readonly implementation: readonly string[];
    readonly tool: readonly string[];
  };
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

/** The newest; each of the others is told by what it has not in common with the one after it. */
const R_2026_07_28: Revision = {
  id: "2026-07-28",
  era: "modern",
  batches: false,
  content: ["text", "image", "audio", "resource", "resource_link"],
  structuredContent: "any",
  lacks: {
    methods: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    members: [],
    implementation: [],
    tool: [],
  },
  resourceNotFound: ErrorCode.InvalidParams,
  unreadableId: undefined,
  completionsCapability: true,
  progressMessage: true,
  asks: { by: "retry", form: "full", url: "without-id", contentLists: true },
  polledStreams: true,
};

const R_2025_11_25: Revision = {
  ...R_2026_07_28,
  id: "2025-11-25",
  era: "legacy",
  structuredContent: "object",
  lacks: {
    ...R_2026_07_28.lacks,
    methods: ["server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"],
  },
  resourceNotFound: ErrorCode.ResourceNotFound,
  asks: { ...R_2026_07_28.asks, by: "request", url: "with-id" },
};

const R_2025_06_18: Revision = {
  ...R_2025_11_25,
  id: "2025-06-18",
  lacks: {
    ...R_2025_11_25.lacks,
    members: ["icons", "websiteUrl"],
    implementation: ["description"],
  },
  unreadableId: null,
  asks: { by: "request", form: "plain", url: "none", contentLists: false },
  polledStreams: false,
};

const R_2025_03_26: Revision = {
  ...R_2025_06_18,
  id: "2025-03-26",
  batches: true,
  content: ["text", "image", "audio", "resource"],
  structuredContent: "none",
  lacks: {
    ...R_2025_06_18.lacks,
    members: [...R_2025_06_18.lacks.members, "title", "outputSchema", "lastModified", "_meta"],
  },
  asks: { ...R_2025_06_18.asks, form: "none" },
};

const R_2024_11_05: Revision = {
  ...R_2025_03_26,
  id: "2024-11-05",
  batches: false,
  content: ["text", "image", "resource"],
  lacks: { ...R_2025_03_26.lacks, tool: ["annotations"] },
  completionsCapability: false,
  progressMessage: false,
};

/** Every revision served, newest first. */
const REVISIONS = [R_2026_07_28, R_2025_11_25, R_2025_06_18, R_2025_03_26, R_2024_11_05];

/** The revision of that name, if it is served. */
export function findRevision(id: string, era?: Era): Revision | undefined {
  for (const revision of REVISIONS) {
    if (revision.id === id && (era === undefined || revision.era === era)) return revision;
  }
  return undefined;
}

/** The names of the served revisions of one era, newest first. */
export function revisionIds(era: Era): string[] {
  return REVISIONS.flatMap((revision) => (revision.era === era ? revision.id : []));
}

/** What a legacy client gets that asks for a revision not served here. */
export const LATEST_LEGACY: Revision = R_2025_11_25;

/** The newest revision served. */
export const LATEST: Revision = R_2026_07_28;

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION: Revision = R_2025_03_26;
