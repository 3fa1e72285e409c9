/** The address cannot be listened on; the message says why, in words for whoever started the server. */
export class ListenError extends Error {
  override name = "ListenError";
  /** The system's own code, such as `"EADDRINUSE"`. */
  readonly code: string | undefined;

  /** @param flags what chooses another address */
  constructor(
    error: NodeJS.ErrnoException,
    host: string,
    port: number,
    flags = { port: "--port", host: "--host" },
  ) {
    super(messageFor(error, host, port, flags));
    this.code = error.code;
  }
}

function messageFor(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { port: string; host: string },
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use. Stop what listens there, or choose another with ${flags.port}.`;
    case "EACCES":
      return `Port ${port} may not be used by this account. Choose one above 1023 with ${flags.port}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another with ${flags.host}.`;
    default:
      return `Cannot listen on ${host}:${port}: ${message}`;
  }
}
