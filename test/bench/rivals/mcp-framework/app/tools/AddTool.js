import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class AddTool extends MCPTool {
  name = "add";
  description = "Adds two numbers.";
  useStringify = false;
  schema = schemas(z).add;

  async execute(args) {
    return works.add(args);
  }
}
