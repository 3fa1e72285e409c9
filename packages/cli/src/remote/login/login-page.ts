import { openBrowser } from "../../terminal/open-browser.js";
import type { Terminal } from "../../terminal/terminal.js";

/**
 * Creates a function that shows the URL of a login: it prints the URL and opens it in the browser.
 *
 * @param opensBrowser whether to open the browser, not only print the URL
 */
export function showLoginPage(
  { err, readLines }: Terminal,
  opensBrowser: boolean,
): (url: URL) => Promise<void> {
  return async (url) => {
    const { paint } = err;
    const instruction = opensBrowser
      ? "Your browser opens to log you in. If it does not, go to:"
      : "To log in, go to:";
    err.write(`${paint.bold("This server requires a login.")} ${instruction}\n  ${url.href}\n`);
    if (readLines)
      err.write("If your browser is on another machine, paste the address to which it is redirected.\n");
    if (!opensBrowser) return;
    await openBrowser(url.href);
  };
}

/** Creates a function that reports that a typed line is not the redirect address of this login. */
export function reportWrongAddress({ err }: Terminal): (redirectUrl: string) => void {
  return (redirectUrl) => {
    err.write(
      `This is not the redirect address of this login. Paste the address from your browser that begins with ${redirectUrl}?\n`,
    );
  };
}
