import { error, warning } from "./catalog-entry.js";

/** The messages about arguments that clients repeat in HTTP headers. Clients ignore a tool with any of these errors. */
export const headerMessages = {
  "header-name-invalid": error(
    (p: { header: string }) =>
      p.header
        ? `\`${p.header}\` cannot be the name of an HTTP header.`
        : `\`@header\` needs the name of the header, but has no value.`,
    () => `Use letters, digits, and hyphens, such as \`@header Region\` for \`Mcp-Param-Region\`.`,
  ),
  "header-type": error(
    (p: { where: string; type: string; isNumber: boolean }) =>
      `${p.where} has type \`${p.type}\`, but only a string, a whole number, or a boolean can be sent in a header.`,
    (p) => (p.isNumber ? `If the number is always whole, add \`@integer\`.` : `Remove \`@header\`.`),
  ),
  "header-misplaced": error(
    (p: { header: string; path: string }) =>
      `\`${p.path}\` is sent in the header \`Mcp-Param-${p.header}\`, but it is inside an array, a union, or a recursive type. Clients send headers only for properties of objects.`,
    () => `Remove \`@header\`, or make the value a separate argument.`,
  ),
  "header-taken": error(
    (p: { header: string; first: string; second: string }) =>
      `\`${p.first}\` and \`${p.second}\` are both sent in the header \`Mcp-Param-${p.header}\`. Header names are case-insensitive.`,
    () => `Give each its own header.`,
  ),
  "header-secret": warning(
    (p: { header: string; path: string }) =>
      `\`${p.path}\` is secret, but it is sent in the header \`Mcp-Param-${p.header}\`, which proxies can read and log.`,
    () => `Remove \`@header\`.`,
  ),
};
