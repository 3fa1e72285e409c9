import { MCPTool } from "mcp-framework";
import * as z from "zod";
import { schemas, works } from "../../../tools.mjs";

export default class SearchTool extends MCPTool {
  name = "search";
  description = "Searches the catalog.";
  schema = schemas(z).search;
  outputSchemaShape = schemas(z).found;

  async execute(args) {
    return works.search(args);
  }
}
