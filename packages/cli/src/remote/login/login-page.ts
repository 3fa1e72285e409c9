import { openBrowser } from "../../terminal/open-browser.js";
import type { Terminal } from "../../terminal/terminal.js";

/**
 * Shows the page of a login: in the browser, and as a line to copy, since there may be no browser here.
 *
 * @param opens false for the line alone
 */
export function showLoginPage({ err, readLines }: Terminal, opens: boolean): (url: URL) => Promise<void> {
  return async (url) => {
    const { paint } = err;
    const what = opens ? "Your browser opens to log you in. If it does not, go to:" : "To log in, go to:";
    err.write(`${paint.bold("This server requires a login.")} ${what}\n  ${url.href}\n`);
    if (readLines) err.write("Is your browser on another machine? Then paste the address that it ends at.\n");
    if (!opens) return;
    await openBrowser(url.href);
  };
}

/** Says that a line is not the address that a browser ends at after this login. */
export function refuseAddress({ err }: Terminal): (redirectUrl: string) => void {
  return (redirectUrl) => {
    err.write(
      `That is not the address that this login ends at. It begins with ${redirectUrl}? and is at the top of your browser.\n`,
    );
  };
}
