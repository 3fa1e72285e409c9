import { openBrowser } from "../../terminal/open-browser.js";
import type { Terminal } from "../../terminal/terminal.js";

/**
 * Sends a person to a page: in their browser, and as a line to copy, since there may be no browser here.
 *
 * @param opens false for the line alone
 */
export function personAt({ err }: Terminal, opens: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    const { paint } = err;
    const what = opens ? "Your browser opens to log you in. If it does not, go to:" : "To log in, go to:";
    err.write(`${paint.bold("This server wants to know who you are.")} ${what}\n  ${url.href}\n`);
    if (!opens) return;
    await openBrowser(url.href);
  };
}
