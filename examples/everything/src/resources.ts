import { Resource } from "@tenon/runtime";
import { ICONS, PNG } from "./media.js";

/** Resources of each kind, and a template. */
export class Resources {
  /** Text that never changes. */
  @Resource("test://static-text", {
    name: "static-text",
    title: "Static text",
    mimeType: "text/plain",
    icons: ICONS,
    meta: { "example.com/kind": "text" },
  })
  text(): string {
    return "This is the content of the static text resource.";
  }

  /** A picture of one red pixel. */
  @Resource("test://static-binary", {
    name: "static-binary",
    mimeType: "image/png",
    size: 70,
    annotations: { audience: ["user"], priority: 0.2, lastModified: "2026-07-28T00:00:00Z" },
  })
  binary(): Uint8Array {
    return Buffer.from(PNG, "base64");
  }

  /** One record by its ID. */
  @Resource("test://template/{id}/data", {
    name: "template",
    title: "Records",
    icons: ICONS,
    mimeType: "application/json",
    complete: { id: (value) => ["123", "124", "200"].filter((id) => id.startsWith(value)) },
  })
  record(id: string): { id: string; templateTest: boolean; data: string } {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
