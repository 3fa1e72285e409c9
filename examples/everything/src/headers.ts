import { Tool } from "@tenon/runtime";

/** Arguments that a client repeats in HTTP headers, so that a gateway can route by them. */
export class HeaderTools {
  /** Says which region was asked for. */
  @Tool({ name: "test_x_mcp_header" })
  region(args: {
    /** @header Region */
    region?: string;
    /**
     * @integer
     * @header Level
     */
    level?: number;
  }): string {
    return `region=${args.region ?? ""}`;
  }
}
