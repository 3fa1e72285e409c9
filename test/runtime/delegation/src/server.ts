import { defineServer } from "@tenon/runtime";
import { oauth, tokenExchange } from "@tenon/runtime/auth";

/** Tests replace it. */
export default defineServer({
  auth: oauth({
    issuer: "https://login.example.com",
    resource: "https://mcp.example.com/mcp",
    exchange: tokenExchange({ clientId: "mcp", clientSecret: "a secret" }),
  }),
  stdio: {},
});
