export {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";
