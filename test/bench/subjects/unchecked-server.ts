import { defineServer } from "@tenon/runtime";

export default defineServer({ outputValidation: "off" });
