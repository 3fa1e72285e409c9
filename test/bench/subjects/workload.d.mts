/** The types of workload.mjs, for the project that Tenon compiles. */
export interface SearchArguments {
  /**
   * Words of the title
   * @minLength 1
   */
  query: string;
  /**
   * Most hits to return
   * @integer
   * @minimum 1
   * @maximum 50
   */
  limit?: number;
  filters?: {
    /** Tags that a hit must have */
    tags?: string[];
    price?: { min?: number; max?: number };
    order?: "cheapest" | "dearest";
  };
}

export interface SearchResult {
  total: number;
  hits: { id: string; title: string; price: number }[];
}

export declare function add(a: number, b: number): string;
export declare function search(args: SearchArguments): SearchResult;
export declare function document(): string;
export declare function extra(query: string, limit: number | undefined): string;
export declare function extraName(index: number): string;
export declare function extraDescription(index: number): string;
export declare function extraTools(): number;
export function compute(seed: number): string;
export declare const SECRET: string;
