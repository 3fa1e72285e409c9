import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Returns the default CSS of a view, with only the variables that its scripts and styles use.
 *
 * @param text scripts and styles of a view. A name that ends in a dash, as in `var(--color-text-${kind})`, uses all variables
 *   that begin with it.
 */
export function selectVariables(text: string): string {
  const [light = "", dark = "", base = ""] = readTheme();
  const used = new Set(`${text}${base}`.match(/--[a-z\d-]+/g));
  const prefixes = [...used].filter((name) => name.endsWith("-"));
  const select = (rules: string): string => {
    const [selector = "", variables = ""] = rules.split(/[{}]/);
    const selected = variables.split(";").filter((line) => {
      const [name = ""] = line.trim().split(":", 1);
      return used.has(name) || (name !== "" && prefixes.some((prefix) => name.startsWith(prefix)));
    });
    return selected.length === 0
      ? ""
      : `${selector.trim()}{${selected.map((each) => each.trim().replace(": ", ":")).join(";")}}`;
  };
  return `${select(light)}${select(dark)}${base.replaceAll(/\s+/g, " ").replaceAll(/ ?([{};:/]) ?/g, "$1")}`;
}

/** Returns the rules of the theme: light variables, dark variables, and the body. */
function readTheme(): string[] {
  const css = readFileSync(createRequire(import.meta.url).resolve("@tenon/runtime/view.css"), "utf8");
  const rules = css.replaceAll(/\/\*.*?\*\//gs, "").match(/[^{}]+\{[^}]*\}/g);
  return rules?.map((each) => each.trim()) ?? [];
}
