import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).search.shape;
export const outputSchema = schemas(z).found.shape;

export const metadata = { name: "search", description: "Searches the catalog." };

export default function search(args: never) {
  return runs.search(args);
}
