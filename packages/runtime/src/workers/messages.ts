/** What a worker says to the process that has started it. */
export type FromWorker =
  | {
      readonly tenon: "serving";
      /** How long it may take at most to stop. */
      readonly stopsWithinMs: number;
    }
  | {
      /** Asks for the store that all workers share to be there. */
      readonly tenon: "host";
      /** URL of the module that makes it, a `HostModule`. */
      readonly module: string;
    }
  | { readonly tenon: "store"; readonly request: StoreRequest };

/** What the first process says to a worker. */
export type ToWorker =
  | {
      /** The answer to `serving`. */
      readonly tenon: "welcome";
      /** What it is started again for, such as `"worker 4711, which was killed by SIGKILL"`. */
      readonly replaces?: string;
    }
  | { readonly tenon: "stop"; readonly signal: string }
  | { readonly tenon: "store"; readonly reply: StoreReply };

/** One call of the store. `id` is the worker's own number for it. */
export interface StoreRequest {
  readonly id: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

export type StoreMethod =
  | "get"
  | "set"
  | "delete"
  | "append"
  | "read"
  | "publish"
  | "subscribe"
  | "take"
  | "lease"
  /** Of the subscription or the lease that request `args[0]` has made, or of what request `args[0]` waits for. */
  | "unsubscribe"
  | "renew"
  | "release"
  | "abort"
  /** All that the worker has open. */
  | "close";

export type StoreReply =
  | { readonly id: number; readonly result?: unknown }
  | { readonly id: number; readonly error: string }
  /** For the subscription that request `id` has made. */
  | { readonly id: number; readonly topic: string; readonly message: string };

/** What is loaded into the first process, where workers share a store that is kept there. */
export interface HostModule {
  createStoreHost(): StoreHost;
}

export interface StoreHost {
  /** Serves one worker. */
  serve(reply: (reply: StoreReply) => void): ServedWorker;
}

export interface ServedWorker {
  take(request: StoreRequest): void;
  /** Lets go of all that the worker has open: it has ended. */
  close(): void;
}
