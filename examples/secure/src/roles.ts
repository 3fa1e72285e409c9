import type { Principal } from "@tenon/runtime";

/** What the authorization server says of people in its tokens, beyond what every token says. */
declare module "@tenon/runtime" {
  interface PrincipalClaims {
    role?: "employee" | "manager";
  }
}

export function isManager(user: Principal | undefined): boolean {
  return user?.claims.role === "manager";
}
