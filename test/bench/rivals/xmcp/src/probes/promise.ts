import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).none.shape;
export const outputSchema = schemas(z).counted.shape;

export const metadata = { name: "promise", description: "Promises a number." };

export default function promise() {
  return runs.promise();
}
