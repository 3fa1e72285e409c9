/**
 * Expands a URI template as RFC 6570 defines, for text and lists. Values that are undefined and empty lists are omitted. `%` is
 * always encoded, also in `{+path}`, so that a server reads exactly the given text.
 *
 * @example
 * expandUri("file:///{path}{?tag*}", { path: "a b", tag: ["x", "y"] }) // "file:///a%20b?tag=x&tag=y"
 */
export function expandUri(
  template: string,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  return template.replaceAll(/\{([+#./;?&]?)([^{}]*)\}/g, (_expression, operator: string, list: string) => {
    const isNamed = [";", "?", "&"].includes(operator);
    const separator = isNamed && operator !== ";" ? "&" : [".", "/", ";"].includes(operator) ? operator : ",";
    const encode = operator === "+" || operator === "#" ? encodeForbidden : encodeReserved;
    const parts = list.split(",").flatMap((variable) => {
      const [, name = "", modifier = ""] = /^([^*:]*)(.*)$/.exec(variable) ?? [];
      const given = Object.hasOwn(values, name) ? values[name] : undefined;
      if (given === undefined || (given.length === 0 && typeof given !== "string")) return [];
      const length = modifier.startsWith(":") ? Number(modifier.slice(1)) : Infinity;
      const texts = (typeof given === "string" ? [Array.from(given).slice(0, length).join("")] : given).map(
        (text) => encode(text),
      );
      const pieces = modifier === "*" ? texts : [texts.join(",")];
      if (!isNamed) return pieces;
      return pieces.map((text) => (text === "" && operator === ";" ? name : `${name}=${text}`));
    });
    const prefix = operator === "+" || parts.length === 0 ? "" : operator;
    return prefix + parts.join(separator);
  });
}

/** Encodes the characters that a URI cannot contain. */
function encodeForbidden(text: string): string {
  return encodeURI(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

/** Encodes these, and the characters that RFC 3986 reserves. */
function encodeReserved(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
