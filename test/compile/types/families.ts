import { arrays } from "./arrays.js";
import { classes } from "./classes.js";
import { distributed } from "./distributed.js";
import { enums } from "./enums.js";
import { generics } from "./generics.js";
import { intersections } from "./intersections.js";
import { library } from "./library.js";
import { literals } from "./literals.js";
import { mapped } from "./mapped.js";
import { objects } from "./objects.js";
import { packages } from "./packages.js";
import { primitives } from "./primitives.js";
import { records } from "./records.js";
import { recursion } from "./recursion.js";
import { templates } from "./templates.js";
import { tuples } from "./tuples.js";
import { unions } from "./unions.js";
import { writtenUnions } from "./written-unions.js";
import type { Row } from "./row.js";

/** A table of rows for each family of types. */
export const families: Record<string, Row[]> = {
  arrays,
  classes,
  distributed,
  enums,
  generics,
  intersections,
  library,
  literals,
  mapped,
  objects,
  packages,
  primitives,
  records,
  recursion,
  templates,
  tuples,
  unions,
  writtenUnions,
};
