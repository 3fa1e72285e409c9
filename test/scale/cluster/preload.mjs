/** Loaded into each replica: it ends with the process that started it, and says what it holds when it is asked. */
process.on("disconnect", () => process.exit(1));
await import("../../fuzz/drive/probe.mjs");
