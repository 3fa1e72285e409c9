export { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
