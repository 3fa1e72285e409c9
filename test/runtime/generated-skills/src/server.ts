import { defineServer } from "@tenon/runtime";

export default defineServer({ stdio: { principal: { subject: "ada", scopes: ["admin"] } } });
