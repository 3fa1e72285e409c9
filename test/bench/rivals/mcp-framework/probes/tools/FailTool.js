import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class FailTool extends MCPTool {
  name = "fail";
  description = "Fails.";
  schema = schemas(z).none;

  async execute() {
    return works.fail();
  }
}
