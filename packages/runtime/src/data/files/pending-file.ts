import type { FileLimits } from "../../manifest.js";

/** A file in arguments that is downloaded before the handler is called. */
export class PendingFile {
  constructor(
    readonly url: string,
    /** The name and MIME type that the client declares. */
    readonly declared: { readonly name: string | undefined; readonly type: string | undefined },
    readonly limits: FileLimits,
  ) {}
}
