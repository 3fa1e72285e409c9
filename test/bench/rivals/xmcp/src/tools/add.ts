import * as z from "zod";
import { runs, schemas } from "../../../tools.mjs";

export const schema = schemas(z).add.shape;

export const metadata = { name: "add", description: "Adds two numbers." };

export default function add(args: never) {
  return runs.add(args);
}
