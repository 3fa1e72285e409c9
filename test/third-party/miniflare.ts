export { Miniflare } from "miniflare";
