export {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from "playwright-core";
