import { defineServer } from "@tenon/runtime";

export default defineServer({ dialects: ["openai"] });
