import { defineServer } from "@tenon/runtime";

export default defineServer({ outputChecks: "off" });
