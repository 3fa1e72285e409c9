/** Loaded into each replica: exits with its parent process, and reports the resources it holds on request. */
process.on("disconnect", () => process.exit(1));
await import("../../fuzz/drive/probe.mjs");
