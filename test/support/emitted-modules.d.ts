declare module "emitted:*/application.js" {
  /** The server of a project, as the compiler emits it. */
  export const application: import("@tenon/runtime/server").Application;
}

declare module "program:*" {
  /** The path of the program. */
  const path: string;
  export default path;
}
