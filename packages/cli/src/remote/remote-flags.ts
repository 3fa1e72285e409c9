export const ERAS = ["modern", "legacy"] as const;

/** What the command line says of how to connect. */
export interface RemoteFlags {
  header?: readonly string[];
  /** False to print where to log in. */
  browser?: boolean;
  clientId?: string;
  era?: (typeof ERAS)[number];
}
