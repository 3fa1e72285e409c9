import type { Auth } from "../../../api/auth.js";
import type { ServerCard } from "../../../api/server-card.js";
import type { Implementation } from "../../../protocol/specification.js";
import type { ExchangeHandler } from "../exchange/exchange.js";

/** A server card as `serverCard` creates it. */
export interface ServableCard extends ServerCard {
  /**
   * Starts serving the card. Called for each listener of a server.
   *
   * @returns the handlers by path
   * @throws TypeError if the server cannot have a card
   */
  serve(host: CardHost): ReadonlyMap<string, ExchangeHandler>;
}

/** The part of the HTTP transport that cards use. */
export interface CardHost {
  readonly info: Implementation;
  readonly auth: Auth | undefined;
  /** The path for clients. */
  readonly path: string;
  /** Forwards requests for an allowed host, regardless of their caller and origin. */
  guard(serve: ExchangeHandler): ExchangeHandler;
}
