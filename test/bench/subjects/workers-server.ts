import { defineServer } from "@tenon/runtime";
import { workers } from "@tenon/runtime/workers";

export default defineServer({ store: workers() });
