import type { EncodedResponse } from "../../transports/transport.js";

/** A call that another process can continue. */
export interface DurableCall {
  /**
   * Stores the response, so that it is sent only once.
   *
   * @returns the response to send, or `undefined` if another process sends it
   */
  conclude(response: EncodedResponse | undefined): Promise<EncodedResponse | undefined>;
  /**
   * Lets another process continue the call, since this one is stopping.
   *
   * @param isUrgent true to do so even while the handler is working, and not only while it waits for its client
   * @returns true if another process continues, so that this one sends no response
   */
  handOver(isUrgent: boolean): boolean;
}
