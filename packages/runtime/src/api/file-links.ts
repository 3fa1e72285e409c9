/** Links from which clients download files that are too large for a result. Created by `fileLinks` of `@tenon/runtime/files`. */
export interface FileLinks {
  /** The URL at which the server serves the files. */
  readonly url: string;
}
