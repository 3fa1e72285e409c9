import type { CallPlace } from "./call-records.js";

/** The streams on which clients hear of their calls, as any process can go on with them. */
export interface CallStreams {
  /** Goes on writing to a stream. */
  writer(place: CallPlace): StreamWriter;
  /** Whether a request was sent to the client on it. */
  hasRequest(place: CallPlace, requestId: string): Promise<boolean>;
}

export interface StreamWriter {
  send(text: string): void;
  /** Sends the last message, if there is one, and ends the stream. */
  finish(text: string | undefined): void;
}
