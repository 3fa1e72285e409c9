/** A message from a worker to the primary process. */
export type FromWorker =
  | {
      readonly tenon: "serving";
      /** The maximum time that the worker needs to stop, in milliseconds. */
      readonly stopsWithinMs: number;
    }
  | {
      /** Requests the store that all workers share. */
      readonly tenon: "host";
      /** The URL of the module that creates it, a `HostModule`. */
      readonly module: string;
    }
  | { readonly tenon: "store"; readonly request: StoreRequest };

/** A message from the primary process to a worker. */
export type ToWorker =
  | {
      /** The response to `serving`. */
      readonly tenon: "welcome";
      /** The worker that this one replaces, such as `"worker 4711, which was killed by SIGKILL"`. */
      readonly replaces?: string;
    }
  | { readonly tenon: "stop"; readonly signal: string }
  | { readonly tenon: "store"; readonly reply: StoreReply };

/** A call of one of the store's methods. The worker assigns the `id`. */
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
  | "consume"
  | "lease"
  /** These refer to the subscription, lease, or waiting read of request `args[0]`. */
  | "unsubscribe"
  | "renew"
  | "release"
  | "abort"
  /** Closes everything that the worker has open. */
  | "close";

export type StoreReply =
  | { readonly id: number; readonly result?: unknown }
  | { readonly id: number; readonly error: string }
  /** A message for the subscription of request `id`. */
  | { readonly id: number; readonly topic: string; readonly message: string };

/** A module that the primary process loads if the workers share a store in that process. */
export interface HostModule {
  createStoreHost(): StoreHost;
}

export interface StoreHost {
  /** Serves one worker. */
  serve(reply: (reply: StoreReply) => void): ServedWorker;
}

export interface ServedWorker {
  handle(request: StoreRequest): void;
  /** Closes everything that the worker had open, after it has ended. */
  close(): void;
}
