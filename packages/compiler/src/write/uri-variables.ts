/** A variable of a URI template. */
export interface UriVariable {
  readonly name: string;
  /** Whether the variable is in a query, where it may be omitted. */
  readonly isOptional: boolean;
  readonly isList: boolean;
}

/** Returns the variables of a URI template in order. One that occurs several times is returned once. */
export function readVariables(uriTemplate: string): UriVariable[] {
  const expressions = [...uriTemplate.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)];
  const variables = new Map<string, UriVariable>();
  for (const [, operator = "", list = ""] of expressions) {
    for (const each of list.split(",")) {
      const name = each.replace(/[*:].*$/, "");
      const before = variables.get(name);
      variables.set(name, {
        name,
        isOptional: (operator === "?" || operator === "&") && before?.isOptional !== false,
        isList: each.endsWith("*") || before?.isList === true,
      });
    }
  }
  return [...variables.values()];
}
