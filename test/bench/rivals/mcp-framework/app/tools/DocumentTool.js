import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class DocumentTool extends MCPTool {
  name = "document";
  description = "Returns a document of 64 KiB.";
  useStringify = false;
  schema = schemas(z).none;

  async execute() {
    return works.document();
  }
}
