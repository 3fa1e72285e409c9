import type { JsonSchema } from "@tenon/runtime/manifest";

export type Schema = JsonSchema | boolean | undefined;

/**
 * The effect of a change on the values that fit a schema:
 *
 * - `fewer`: some values no longer fit
 * - `more`: some values now fit that did not before
 * - `default`: an omitted value has a different meaning
 * - `wording`: the same values fit, with a different description
 * - `unknown`: a keyword with an unknown effect differs
 */
export type ValueChange = "fewer" | "more" | "default" | "wording" | "unknown";

/** One difference between two schemas. */
export interface SchemaChange {
  readonly change: ValueChange;
  /** The path of the nested value; empty for the whole value. */
  readonly path: string;
  /** The difference, as the end of a sentence about the value. */
  readonly message: string;
  /** Set if the change affects whether the member exists or is required. */
  readonly presence?: "new" | "new and required" | "removed" | "required" | "optional";
  /** The innermost named member that contains the difference. */
  readonly member: Member;
}

/** The whole value, or a member that is reached from it through `properties` alone. */
export interface Member {
  /** Such as `place.city`; empty for the whole value. */
  readonly path: string;
  /** Absent for the whole value. */
  readonly parent?: Member;
  readonly before: Schema;
  readonly after: Schema;
  readonly isRequired: boolean;
}

/** The current location of a comparison in two schemas. */
export interface Location {
  readonly path: string;
  readonly member: Member;
}

/** Two schemas for the same value. */
export interface SchemaPair extends Location {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  /** Compares nested schemas. */
  readonly compare: (before: Schema, after: Schema, at: Location) => SchemaChange[];
}

/**
 * Returns how a change to one keyword, or to several that depend on each other, affects the values.
 *
 * @param keywords the keywords that differ
 */
export type CompareKeywords = (pair: SchemaPair, keywords: readonly string[]) => SchemaChange[];

/** Creates a change at a location. */
export function createChange(
  change: ValueChange,
  { path, member }: Location,
  message: string,
  presence?: SchemaChange["presence"],
): SchemaChange {
  return { change, path, message, member, ...(presence && { presence }) };
}

/** Returns both changes for a difference that may allow some values and exclude others. */
export function createFewerAndMore(at: Location, message: string): SchemaChange[] {
  return [createChange("fewer", at, message), createChange("more", at, message)];
}
