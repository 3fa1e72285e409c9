import { type Content, Tool } from "@tenon/runtime";
import { ApiClient, deepObject, path } from "./api-client.js";

export interface Address {
  /** @minLength 1 */
  name: string;
  /** @minLength 1 */
  street: string;
  /** @minLength 1 */
  city: string;
}

/** How far a parcel is */
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
   * For who brings it
   * @maxLength 200
   */
  note?: string | null;
  state: State;
}

export interface ListParcelsArguments {
  /** Only parcels in one of these states */
  state?: State[];
  /**
   * How many at most
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
   * For who brings it
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
  /** In centimetres */
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
   * List parcels. The newest come first. Ask for a state to find those that wait for something.
   */
  @Tool({ readOnly: true })
  async listParcels({ state, limit }: ListParcelsArguments, signal: AbortSignal): Promise<Parcel[]> {
    return this.#api.json<Parcel[]>("GET", "/parcels", { query: { state, limit }, signal });
  }

  /**
   * Send a parcel.
   */
  @Tool()
  async sendParcel(body: ParcelInput, signal: AbortSignal): Promise<Parcel> {
    return this.#api.json<Parcel>("POST", "/parcels", { json: body, signal });
  }

  /**
   * Where a parcel is, and where it was.
   */
  @Tool({ readOnly: true })
  async trackParcel({ number }: TrackParcelArguments, signal: AbortSignal): Promise<TrackParcelResult> {
    return this.#api.json<TrackParcelResult>("GET", path`/parcels/${number}`, { signal });
  }

  /**
   * Cancel a parcel that nobody has fetched yet.
   */
  @Tool({ destructive: true, idempotent: true })
  async cancelParcel({ number }: CancelParcelArguments, signal: AbortSignal): Promise<void> {
    await this.#api.done("DELETE", path`/parcels/${number}`, { signal });
  }

  /**
   * The label to put on a parcel.
   */
  @Tool({ readOnly: true })
  async getLabel({ number }: GetLabelArguments, signal: AbortSignal): Promise<Content> {
    return this.#api.content("GET", path`/parcels/${number}/label`, { accept: "image/png", signal });
  }

  /**
   * What a parcel costs.
   */
  @Tool({ readOnly: true })
  async getPrice({ grams, size }: GetPriceArguments, signal: AbortSignal): Promise<Price> {
    return this.#api.json<Price>("GET", "/prices", {
      query: { grams, ...deepObject({ size }) },
      security: [],
      signal,
    });
  }
}
