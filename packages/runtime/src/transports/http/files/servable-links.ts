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
   * @param serverName the only server that serves the link
   * @param signal ends the storing
   */
  store(file: Blob, name: string, serverName: string, signal: AbortSignal): Promise<StoredFile>;
  /** Starts serving the files of the links of a server. Returns the handlers by path. */
  serve(
    serverName: string,
    guard: (serve: ExchangeHandler) => ExchangeHandler,
  ): ReadonlyMap<string, ExchangeHandler>;
}
