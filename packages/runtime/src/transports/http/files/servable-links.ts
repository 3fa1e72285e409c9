import type { FileLinks } from "../../../api/file-links.js";
import type { ExchangeHandler } from "../exchange/exchange.js";

/** A link to a stored file. */
export interface StoredFile {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Links as `fileLinks` creates them. */
export interface ServableLinks extends FileLinks {
  /**
   * Stores a file, and returns a link to it.
   *
   * @param signal ends the storing
   */
  store(file: Blob, name: string, signal: AbortSignal): Promise<StoredFile>;
  /** Starts serving the files. Returns the handlers by path. */
  serve(guard: (serve: ExchangeHandler) => ExchangeHandler): ReadonlyMap<string, ExchangeHandler>;
}
