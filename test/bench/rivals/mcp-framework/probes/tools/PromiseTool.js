import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class PromiseTool extends MCPTool {
  name = "promise";
  description = "Promises a number.";
  schema = schemas(z).none;
  outputSchemaShape = schemas(z).counted;

  async execute() {
    return works.promise();
  }
}
