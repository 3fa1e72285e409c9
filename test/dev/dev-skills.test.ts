/** A skill that is edited while `tenon dev` runs. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectFolder, projectFolder } from "../support/project-folder.js";
import { skillText } from "../support/skill-application.js";
import { type DevProcess, startDev } from "./dev-process.js";

const SKILL = "skills/refunds/SKILL.md";
const TOOL = `import { Tool } from "@tenon/runtime";

export class Orders {
  /** Finds an order. */
  @Tool({ readOnly: true, openWorld: false })
  get_order(id: string): string {
    return id;
  }
}
`;

let project: ProjectFolder;
let dev: DevProcess;
beforeEach(() => {
  project = projectFolder({
    "src/orders.ts": TOOL,
    [SKILL]: skillText("refunds", "Call `get_order` first."),
  });
  dev = startDev(project.root, "--port", "0");
});
afterEach(async () => {
  dev.kill();
  await dev.exited;
  project.remove();
});

test("clients read the edited skill, and tools stay available while a skill has errors", async () => {
  const [, url = ""] = await dev.waitForOutput(/1 tool and 1 skill[^]*?(http:\/\/\S+)/);
  const client = new Client({ name: "test", version: "1.0.0" });
  const changes: string[] = [];
  client.fallbackNotificationHandler = ({ method }) => {
    changes.push(method);
    return Promise.resolve();
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const read = async (): Promise<string> => {
    const [content] = (await client.readResource({ uri: "skill://refunds/SKILL.md" })).contents;
    return content && "text" in content ? content.text : "";
  };
  expect(await read()).toContain("Call `get_order` first.");

  dev.forget();
  project.write({ [SKILL]: skillText("refunds", "Call `get_order` at the end.") });
  await dev.waitForOutput(/~ skill refunds[^]*Reloaded in/);
  await expect.poll(() => changes).toEqual(["notifications/resources/list_changed"]);
  expect(await read()).toContain("at the end");

  dev.forget();
  project.write({ "src/orders.ts": TOOL.replace("get_order", "find_order") });
  await dev.waitForOutput(
    /skill-mention-unknown[^]*Did you mean `find_order`\?[^]*- skill refunds[^]*Reloaded in/,
  );
  const called = await client.callTool({ name: "find_order", arguments: { id: "5" } });
  expect(called.content).toEqual([{ type: "text", text: "5" }]);
  await expect(read()).rejects.toThrow('The server offers no method "resources/read"');

  dev.forget();
  project.write({ [SKILL]: skillText("refunds", "Call `find_order` first.") });
  await dev.waitForOutput(/\+ skill refunds[^]*Reloaded in/);
  expect(await read()).toContain("find_order");
  await client.close();
});
