import { defineServer } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";

export default defineServer({
  stdio: {},
  auth: oauth({
    issuer: "https://login.example.com",
    resource: "https://mcp.example.com/mcp",
    scopes: {
      "files:read": {},
      "files:write": { implies: ["files:read"] },
      audit: { implies: ["files:read"] },
    },
  }),
});
