/**
 * Shows an address in the person's browser. One that does not open is no failure: print the address as well.
 *
 * `BROWSER=none` opens nothing.
 */
export async function openBrowser(url: string): Promise<void> {
  if (process.env["BROWSER"] === "none") return;
  const { default: open } = await import("open");
  const child = await open(url).catch(() => undefined);
  child?.on("error", () => undefined);
}
