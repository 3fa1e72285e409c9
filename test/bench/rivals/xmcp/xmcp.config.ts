import type { XmcpConfig } from "xmcp";

const config: XmcpConfig = {
  http: { port: Number(process.env["PORT"]) },
  stdio: true,
  paths: {
    tools: process.env["BENCH_PROBES"] === undefined ? "src/tools" : "src/probes",
    prompts: false,
    resources: false,
  },
  typescript: { skipTypeCheck: true },
};

export default config;
