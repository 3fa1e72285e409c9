/*
 * Two things make this a file of its own. `ts-morph` itself also loads its wrappers and the text of every library,
 * which takes as long as the compiler does. And TypeScript's exports are getters of getters, which would be run at
 * each of the many places that say `ts.something`.
 */
module.exports = { ...require("@ts-morph/common/dist/typescript.js") };
