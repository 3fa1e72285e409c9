/** A variable of a URI template. */
export interface UriVariable {
  readonly name: string;
  /** Whether the variable is in a query, where it may be omitted. */
  readonly isOptional: boolean;
  readonly isList: boolean;
}

/** Returns the variables of a URI template in order. */
export function readVariables(uriTemplate: string): UriVariable[] {
  const expressions = [...uriTemplate.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)];
  return expressions.flatMap(([, operator = "", list = ""]) =>
    list.split(",").map((each) => ({
      name: each.replace(/[*:].*$/, ""),
      isOptional: operator === "?" || operator === "&",
      isList: each.endsWith("*"),
    })),
  );
}
