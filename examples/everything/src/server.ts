import { defineServer } from "@tenon/runtime";
import { ICONS } from "./media.js";

export default defineServer({
  title: "Everything",
  description: "Every feature of the protocol, for clients to try themselves on.",
  websiteUrl: "https://example.com/everything",
  icons: ICONS,
  instructions: "Each tool, prompt and resource shows one feature; its description says which.",
  http: { sse: true },
});
