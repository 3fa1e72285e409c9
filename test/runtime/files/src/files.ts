import { Prompt, Tool } from "@tenon/runtime";

/** The facts about a file that a handler can find out. */
export interface FileFacts {
  name: string;
  type: string;
  size: number;
  text: string;
  isFile: boolean;
}

async function describe(file: File | Blob): Promise<FileFacts> {
  const isFile = file instanceof File;
  return { name: isFile ? file.name : "", type: file.type, size: file.size, text: await file.text(), isFile };
}

/**
 * A small text.
 * @accept text/plain, text/csv
 * @maxSize 10
 */
type Note = File;

export class Files {
  /**
   * Reads a file.
   * @param file The file
   */
  @Tool({ readOnly: true })
  async read(file: File): Promise<FileFacts> {
    return describe(file);
  }

  /** Reads bytes with a type. */
  @Tool({ readOnly: true })
  async readBlob(blob: Blob, spare?: Blob | null): Promise<FileFacts[]> {
    return Promise.all([blob, ...(spare ? [spare] : [])].map(describe));
  }

  /** Reads notes. */
  @Tool({ readOnly: true })
  async readNotes(notes: Note[]): Promise<FileFacts[]> {
    return Promise.all(notes.map(describe));
  }

  /** Reads a picture. */
  @Tool({ readOnly: true })
  async readPicture(args: {
    /** @accept image/png */
    picture: File;
  }): Promise<string> {
    return args.picture.type;
  }

  /** Counts the bytes that a stream yields. */
  @Tool({ readOnly: true })
  async stream(file: File): Promise<number> {
    let size = 0;
    for await (const chunk of file.stream() as unknown as AsyncIterable<Uint8Array>) size += chunk.length;
    return size;
  }

  /** Discusses a file. */
  @Prompt()
  async discuss(file: File): Promise<string> {
    return `Discuss ${file.name}: ${await file.text()}`;
  }
}
