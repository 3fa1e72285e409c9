import { defineServer } from "@tenon/runtime";

export default defineServer({
  title: "Everything",
  description: "Every feature of the protocol, for clients to try themselves on.",
  instructions: "Each tool, prompt and resource shows one feature; its description says which.",
});
