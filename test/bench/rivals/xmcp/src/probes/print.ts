import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).none.shape;

export const metadata = { name: "print", description: "Prints." };

export default function print() {
  return runs.print();
}
