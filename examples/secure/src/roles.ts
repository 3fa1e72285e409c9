import type { Principal } from "@tenon/runtime";

/** The claims of this authorization server, in addition to the standard ones. */
declare module "@tenon/runtime" {
  interface PrincipalClaims {
    role?: "employee" | "manager";
  }
}

export function isManager(user: Principal | undefined): boolean {
  return user?.claims.role === "manager";
}
