import { Tool, ToolError, type Content, type Context, type ResourceLink } from "@tenon/runtime";
import { ICONS, PNG, WAV } from "./media.js";

interface About {
  name: string;
  features: string[];
  /** The protocol revision of this call */
  revision: string;
  /** The client's name, as reported by the client */
  client: string;
}

/** Results of every kind: each kind of content, several at once, structured content, and a failure. */
export class ContentTools {
  /** Describes this server and its caller, as structured content with an output schema. */
  @Tool({ title: "About this server", readOnly: true, openWorld: false, icons: ICONS })
  about(ctx: Context): About {
    return {
      name: "everything",
      features: ["tools", "prompts", "resources", "completion"],
      revision: ctx.revision,
      client: ctx.client.info?.name ?? "unknown",
    };
  }

  /** Returns plain text. */
  @Tool({ readOnly: true, openWorld: false, name: "test_simple_text" })
  simpleText(): string {
    return "This is a simple text response for testing.";
  }

  /** Returns an image. */
  @Tool({ readOnly: true, openWorld: false, name: "test_image_content" })
  image(): Content {
    return { type: "image", data: PNG, mimeType: "image/png" };
  }

  /** Returns a sound. */
  @Tool({ readOnly: true, openWorld: false, name: "test_audio_content" })
  audio(): Content {
    return { type: "audio", data: WAV, mimeType: "audio/wav" };
  }

  /** Returns an embedded resource. */
  @Tool({ readOnly: true, openWorld: false, name: "test_embedded_resource" })
  embeddedResource(): Content {
    return {
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    };
  }

  /** Returns links to resources that the client may read. */
  @Tool({ readOnly: true, openWorld: false, name: "test_resource_link" })
  resourceLink(): ResourceLink[] {
    return [
      { type: "resource_link", uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
      { type: "resource_link", uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
    ];
  }

  /** Returns text, an image, and a resource together. */
  @Tool({ readOnly: true, openWorld: false, name: "test_multiple_content_types" })
  multipleContentTypes(): Content[] {
    return [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ];
  }

  /** Always fails, with a message for the model. */
  @Tool({ readOnly: true, openWorld: false, name: "test_error_handling" })
  errorHandling(): string {
    throw new ToolError("This tool intentionally returns an error for testing");
  }
}
