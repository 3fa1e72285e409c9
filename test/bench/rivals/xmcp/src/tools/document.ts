import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).none.shape;

export const metadata = { name: "document", description: "Returns a document of 64 KiB." };

export default function document() {
  return runs.document();
}
