import { error, warning } from "./catalogue-entry.js";

/** What can be wrong with arguments that clients repeat in HTTP headers. Clients drop a tool for any of the errors. */
export const headerMessages = {
  "header-name-invalid": error(
    (p: { header: string }) =>
      p.header
        ? `\`${p.header}\` cannot be the name of an HTTP header.`
        : `\`@header\` wants the name of the header, and there is none.`,
    () => `Use letters, digits and dashes, such as \`@header Region\` for \`Mcp-Param-Region\`.`,
  ),
  "header-type": error(
    (p: { where: string; type: string; isNumber: boolean }) =>
      `${p.where} has type \`${p.type}\`; only a string, a whole number or a boolean can be repeated in a header.`,
    (p) => (p.isNumber ? `If the number is always whole, say so: \`@integer\`.` : `Remove \`@header\`.`),
  ),
  "header-misplaced": error(
    (p: { header: string; path: string }) =>
      `\`${p.path}\` is repeated in the header \`Mcp-Param-${p.header}\`, but it stands inside an array, a union or a recursive type: clients look for headers only in members of objects.`,
    () => `Remove \`@header\`, or make the value an argument of its own.`,
  ),
  "header-taken": error(
    (p: { header: string; first: string; second: string }) =>
      `\`${p.first}\` and \`${p.second}\` are both repeated in the header \`Mcp-Param-${p.header}\`; the case of letters makes no difference.`,
    () => `Give each a header of its own.`,
  ),
  "header-secret": warning(
    (p: { header: string; path: string }) =>
      `\`${p.path}\` is secret, but repeated in the header \`Mcp-Param-${p.header}\`, which servers on the way read and log.`,
    () => `Remove \`@header\`.`,
  ),
};
