// The style sheet exports nothing: an import of it is for its effect.
// oxlint-disable-next-line unicorn/require-module-specifiers -- an empty export makes this file a module
export {};
