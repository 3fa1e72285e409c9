/** Returns whether a path is that of a JavaScript file. @example isJavaScript("src/pets.mjs") // true */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/i.test(path);
}
