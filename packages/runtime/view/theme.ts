import type { HostContext } from "./view-client.js";

const fonts = document.createElement("style");

/**
 * Applies the host's theme, variables, fonts, and language to the document.
 *
 * Replaces each `light-dark(a, b)` with the value for the theme. Browsers resolve it by `color-scheme`, which a view must not
 * set: where it differs from that of the host's page, browsers draw an opaque background.
 */
export function applyTheme({ theme, styles, locale }: HostContext): void {
  const { documentElement: page, head } = document;
  if (theme) page.dataset["theme"] = theme;
  if (locale) page.lang = locale;
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value) page.style.setProperty(name, value.replace(LIGHT_DARK, theme === "dark" ? "$2" : "$1"));
  fonts.textContent = styles?.css?.fonts ?? "";
  head.append(fonts);
}

/** Matches the function with two values, in which functions may be nested twice. */
const LIGHT_DARK =
  /light-dark\(((?:[^(),]|\((?:[^()]|\([^()]*\))*\))+),((?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)/g;
