import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { Tool, ToolError, type Context, type ToolResult } from "@tenon/runtime";
import { answer, type Answer } from "./answer.js";
import type { Directories } from "./directories.js";
import { toToolError } from "./plain-errors.js";
import { readFirstLines, readLastLines, readText, readWhole } from "./reading.js";

/** A text file, whole or in part. */
export interface TextFile {
  /** The file. A relative path is relative to the allowed directories. */
  path: string;
  /** Returns only the last N lines. @integer @minimum 1 */
  tail?: number;
  /** Returns only the first N lines. @integer @minimum 1 */
  head?: number;
}

/** An image, a sound, or any other file as a resource; the bytes are base64. */
export type Media =
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } };

const MIME_TYPES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".bmp": "image/bmp",
  ".svg": "image/svg+xml",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
};

export class ReadTools {
  constructor(private readonly directories: Directories) {}

  /** Reads a file as text: all of it, or only its first (`head`) or last lines (`tail`). */
  @Tool({ name: "read_text_file", title: "Read Text File", readOnly: true, openWorld: false })
  async readText({ path, head, tail }: TextFile, ctx: Context): Promise<Answer> {
    if (head !== undefined && tail !== undefined) {
      throw new ToolError("Use either head or tail, not both.");
    }
    const sandbox = await this.directories.getSandbox(ctx);
    return sandbox.open(path, async (file) => {
      if (head !== undefined) return answer(await readFirstLines(file, head));
      if (tail !== undefined) return answer(await readLastLines(file, tail));
      return answer(await readText(file));
    });
  }

  /** Use read_text_file instead. */
  @Tool({ name: "read_file", title: "Read File (Deprecated)", readOnly: true, openWorld: false })
  async readFile(file: TextFile, ctx: Context): Promise<Answer> {
    return this.readText(file, ctx);
  }

  /**
   * Reads an image, a sound, or any other file as base64, with its MIME type.
   * @param path The file
   */
  @Tool({ name: "read_media_file", title: "Read Media File", readOnly: true, openWorld: false })
  async readMedia(path: string, ctx: Context): Promise<ToolResult<{ content: Media[] }>> {
    const sandbox = await this.directories.getSandbox(ctx);
    return sandbox.open(path, async (file, real) => {
      const content = [toMedia(real, (await readWhole(file)).toString("base64"))];
      return { content, structuredContent: { content } };
    });
  }

  /**
   * Reads several files as text. A file that cannot be read does not affect the others.
   */
  @Tool({ name: "read_multiple_files", title: "Read Multiple Files", readOnly: true, openWorld: false })
  async readMultiple(
    args: { /** Paths of files @minItems 1 @maxItems 100 */ paths: string[] },
    ctx: Context,
  ): Promise<Answer> {
    const sandbox = await this.directories.getSandbox(ctx);
    const parts = args.paths.map(async (path) => {
      try {
        return `${path}:\n${await sandbox.open(path, readText)}\n`;
      } catch (error) {
        const reason = toToolError(error);
        if (reason === undefined) throw error;
        return `${path}: Error - ${reason.message}`;
      }
    });
    return answer((await Promise.all(parts)).join("\n---\n"));
  }
}

function toMedia(path: string, data: string): Media {
  const mimeType = MIME_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return { type: kind, data, mimeType };
  return { type: "resource", resource: { uri: pathToFileURL(path).href, mimeType, blob: data } };
}
