import { openBrowser } from "../../terminal/open-browser.js";
import type { Terminal } from "../../terminal/terminal.js";

/**
 * Shows the page of a login: in the browser, and as a line to copy, since there may be no browser here.
 *
 * @param opens false for the line alone
 */
export function showLoginPage({ err }: Terminal, opens: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    const { paint } = err;
    const what = opens ? "Your browser opens to log you in. If it does not, go to:" : "To log in, go to:";
    err.write(`${paint.bold("This server requires a login.")} ${what}\n  ${url.href}\n`);
    if (!opens) return;
    await openBrowser(url.href);
  };
}
