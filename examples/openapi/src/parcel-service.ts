import { type Content, Tool } from "@tenon/runtime";
import { ApiClient, jsonBody, path, styled } from "./api-client.js";

export interface Address {
  /** @minLength 1 */
  name: string;
  /** @minLength 1 */
  street: string;
  /** @minLength 1 */
  city: string;
}

/** State of a parcel */
export type State = "announced" | "moving" | "delivered";

export interface Parcel {
  number: string;
  to: Address;
  /**
   * @integer
   * @minimum 1
   * @maximum 31500
   */
  grams: number;
  /**
   * Note for the courier
   * @maxLength 200
   */
  note?: string | null;
  state: State;
}

export interface ListParcelsArguments {
  /** Only parcels in one of these states */
  state?: State[];
  /**
   * Maximum number of parcels
   * @integer
   * @minimum 1
   * @maximum 100
   * @default 20
   */
  limit?: number;
}

export interface ParcelInput {
  to: Address;
  /**
   * @integer
   * @minimum 1
   * @maximum 31500
   */
  grams: number;
  /**
   * Note for the courier
   * @maxLength 200
   */
  note?: string | null;
}

export interface Scan {
  kind: string;
  /** @format date-time */
  at: string;
  place: string;
}

export interface Delivery {
  kind: string;
  /** @format date-time */
  at: string;
  receivedBy: string;
}

export type Event =
  | (Scan & {
      kind: "scan";
    })
  | (Delivery & {
      kind: "delivery";
    });

export interface TrackParcelResult {
  parcel: Parcel;
  events: Event[];
}

export interface TrackParcelArguments {
  /** The number of the parcel */
  number: string;
}

export interface CancelParcelArguments {
  /** The number of the parcel */
  number: string;
}

export interface GetLabelArguments {
  /** The number of the parcel */
  number: string;
}

export interface Price {
  /** @minimum 0 */
  euros: number;
  /**
   * @integer
   * @minimum 1
   */
  days: number;
}

export interface GetPriceArguments {
  /**
   * @integer
   * @minimum 1
   * @maximum 31500
   */
  grams: number;
  /** In centimeters */
  size?: {
    /** @exclusiveMinimum 0 */
    length: number;
    /** @exclusiveMinimum 0 */
    width: number;
    /** @exclusiveMinimum 0 */
    height: number;
  };
}

/** Parcel Service API */
export class ParcelService {
  readonly #api: ApiClient;

  constructor(api = new ApiClient()) {
    this.#api = api;
  }

  /**
   * List parcels. The newest parcels come first.
   */
  @Tool({ readOnly: true, openWorld: true })
  async listParcels({ state, limit }: ListParcelsArguments, signal: AbortSignal): Promise<Parcel[]> {
    return this.#api.json<Parcel[]>("GET", "/parcels", { query: { state, limit }, signal });
  }

  /**
   * Send a parcel.
   */
  @Tool({ destructive: true, openWorld: true })
  async sendParcel(body: ParcelInput, signal: AbortSignal): Promise<Parcel> {
    return this.#api.json<Parcel>("POST", "/parcels", { body: jsonBody(body), signal });
  }

  /**
   * Track a parcel.
   */
  @Tool({ readOnly: true, openWorld: true })
  async trackParcel({ number }: TrackParcelArguments, signal: AbortSignal): Promise<TrackParcelResult> {
    return this.#api.json<TrackParcelResult>("GET", path`/parcels/${number}`, { signal });
  }

  /**
   * Cancel a parcel that has not been picked up.
   */
  @Tool({ destructive: true, idempotent: true, openWorld: true })
  async cancelParcel({ number }: CancelParcelArguments, signal: AbortSignal): Promise<void> {
    await this.#api.done("DELETE", path`/parcels/${number}`, { signal });
  }

  /**
   * Get the label of a parcel.
   */
  @Tool({ readOnly: true, openWorld: true })
  async getLabel({ number }: GetLabelArguments, signal: AbortSignal): Promise<Content> {
    return this.#api.content("GET", path`/parcels/${number}/label`, { accept: "image/png", signal });
  }

  /**
   * Get the price of a parcel.
   */
  @Tool({ readOnly: true, openWorld: true })
  async getPrice({ grams, size }: GetPriceArguments, signal: AbortSignal): Promise<Price> {
    return this.#api.json<Price>("GET", "/prices", {
      query: { grams, size: styled("deepObject", size) },
      security: [],
      signal,
    });
  }
}
