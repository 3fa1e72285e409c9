import { openAsBlob } from "node:fs";
import { type Content, Prompt, Resource, Tool } from "@tenon/runtime";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
);

/** A file that can no longer be read. */
class LostFile extends File {
  override async arrayBuffer(): Promise<ArrayBuffer> {
    throw new Error("The file is lost.");
  }
}

export class Results {
  /** Returns a file with this type and content. */
  @Tool({ readOnly: true })
  file(type: string, text: string, name: string = "a b.txt"): File {
    return new File([text], name, { type });
  }

  /** Returns bytes that are not text. */
  @Tool({ readOnly: true })
  async bytes(type: string): Promise<Blob> {
    return new Blob([new Uint8Array([0xff, 0xfe, 0])], { type });
  }

  /** Draws a pixel. */
  @Tool({ readOnly: true })
  async picture(): Promise<(File | string | Content)[]> {
    return [
      "A pixel:",
      new File([PIXEL], "pixel.png", { type: "image/png" }),
      { type: "text", text: "That was it." },
    ];
  }

  /** Returns a file, or text if there is none. */
  @Tool({ readOnly: true })
  perhaps(has: boolean): File | string | undefined {
    return has ? new File(["x"], "x.bin") : "nothing";
  }

  /** Returns a file of this size. */
  @Tool({ readOnly: true })
  large(size: number): File {
    return new File([new Uint8Array(size)], "large.bin", { type: "application/zip" });
  }

  /** Returns a file that cannot be read, and one of this size. */
  @Tool({ readOnly: true })
  lostAndLarge(size: number): File[] {
    return [new LostFile([], "lost.bin"), this.large(size)];
  }

  /** Returns a file on disk, which is read when it is sent. */
  @Tool({ readOnly: true })
  async fromDisk(path: string): Promise<File> {
    return new File([await openAsBlob(path)], "a'b ü.zip", { type: "application/zip" });
  }

  /** The logo. */
  @Resource("files://logo", { mimeType: "image/png" })
  logo(): Blob {
    return new Blob([PIXEL]);
  }

  /** A note. */
  @Resource("files://notes/{id}")
  async note(id: string): Promise<File | undefined> {
    return id === "none" ? undefined : new File([`Note ${id}`], "note.md", { type: "text/markdown" });
  }

  /** Shows a file. */
  @Prompt()
  show(whole: boolean = false): (File | string)[] | { messages: { role: "user"; content: File }[] } {
    const file = new File(["a,b"], "a.csv", { type: "text/csv" });
    return whole ? { messages: [{ role: "user", content: file }] } : ["Look:", file];
  }
}
