/** A JWT in the one spelling that it has: without padding, which decoders would take as well, and without a second one. */
export const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
