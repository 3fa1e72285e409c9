/**
 * Checks the names of the options that a function such as `oauth` received. TypeScript reports unknown names in literals, but
 * not in variables and spreads.
 *
 * @param names the options of the function
 * @throws TypeError that names the unknown option, and the known ones
 * @example
 * checkOptionNames<{ level?: string }>("jsonLog", { level: "info" }, { level: true });
 */
export function checkOptionNames<Options>(
  caller: string,
  options: Options,
  names: Record<keyof Options, true>,
): void {
  const unknown = Object.keys(options as object).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const known = Object.keys(names).join(", ");
  throw new TypeError(`${caller}: \`${unknown}\` is not an option. Remove it, or use one of: ${known}.`);
}
