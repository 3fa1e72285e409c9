/// <reference types="node" preserve="true" />
/** The server cannot listen on the address. The message contains the reason and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
  /** The code of the system, such as `"EADDRINUSE"`. */
  readonly code: string | undefined;

  /** @param flags the options that set the address, for the message */
  constructor(
    error: NodeJS.ErrnoException,
    host: string,
    port: number,
    flags = { port: "--port", host: "--host" },
  ) {
    super(formatMessage(error, host, port, flags));
    this.code = error.code;
  }
}

function formatMessage(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { port: string; host: string },
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another with ${flags.port}.`;
    case "EACCES":
      return `This account may not use port ${port}. Choose one above 1023 with ${flags.port}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another with ${flags.host}.`;
    default:
      return `Cannot listen on ${host}:${port}: ${message}`;
  }
}
