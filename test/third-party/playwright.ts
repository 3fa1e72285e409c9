export { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
