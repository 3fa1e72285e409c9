import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class PrintTool extends MCPTool {
  name = "print";
  description = "Prints.";
  useStringify = false;
  schema = schemas(z).none;

  async execute() {
    return works.print();
  }
}
