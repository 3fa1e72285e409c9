/**
 * Opens a URL in the user's browser. The browser may fail to open without an error, so print the URL as well.
 *
 * Does nothing if `BROWSER=none` is set.
 */
export async function openBrowser(url: string): Promise<void> {
  if (process.env["BROWSER"] === "none") return;
  const { default: open } = await import("open");
  const child = await open(url).catch(() => undefined);
  child?.on("error", () => undefined);
}
