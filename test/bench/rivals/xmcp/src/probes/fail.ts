import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).none.shape;

export const metadata = { name: "fail", description: "Fails." };

export default function fail() {
  return runs.fail();
}
