import { ts } from "ts-morph";

/** The TypeScript that ts-morph ships, loaded without the rest of ts-morph. */
export = ts;
