import { type Browser, startBrowser } from "./browser.js";

/** The time after which a browser without views is closed, in milliseconds. */
const MAX_IDLE_MS = 1000;

/** A running browser, and the number of its open views. */
interface SharedBrowser {
  readonly browser: Promise<Browser>;
  uses: number;
  idle?: NodeJS.Timeout;
}

const browsers = new Map<string, SharedBrowser>();

/**
 * Returns the browser of this process, which is started once for the views of a project. It keeps the process alive until no
 * view has used it for a second.
 *
 * @param root the project folder, absolute
 * @throws Failure if Playwright or a browser is missing
 */
export async function useBrowser(root: string): Promise<{ browser: Browser; release(): void }> {
  const shared = browsers.get(root) ?? { browser: startBrowser(root), uses: 0 };
  browsers.set(root, shared);
  shared.uses++;
  clearTimeout(shared.idle);
  const release = (): void => {
    shared.uses--;
    if (shared.uses > 0) return;
    shared.idle = setTimeout(() => {
      browsers.delete(root);
      void shared.browser.then((browser) => browser.close());
    }, MAX_IDLE_MS);
  };
  try {
    return { browser: await shared.browser, release };
  } catch (error) {
    browsers.delete(root);
    throw error;
  }
}
