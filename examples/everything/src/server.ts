import { defineServer } from "@tenon/runtime";
import { ICONS } from "./media.js";

export default defineServer({
  title: "Everything",
  description: "Every feature of the protocol, for testing clients.",
  websiteUrl: "https://example.com/everything",
  icons: ICONS,
  instructions: "Each tool, prompt, and resource demonstrates the feature in its description.",
  http: { sse: true },
});
