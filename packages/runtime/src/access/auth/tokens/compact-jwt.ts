/** Matches a single JWT in its only valid spelling, without the padding that decoders would accept. */
export const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
