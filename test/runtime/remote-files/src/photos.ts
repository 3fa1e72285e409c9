import { Tool } from "@tenon/runtime";

interface Facts {
  name: string;
  type: string;
  text: string;
}

async function describe(file: File): Promise<Facts> {
  return { name: file.name, type: file.type, text: await file.text() };
}

export class Photos {
  /** Reads a file. */
  @Tool({ readOnly: true })
  async read(file: File): Promise<Facts> {
    return describe(file);
  }

  /**
   * Reads several files.
   * @param files The files
   */
  @Tool({ readOnly: true })
  async readAll(title: string, files: File[]): Promise<{ title: string; files: Facts[] }> {
    return { title, files: await Promise.all(files.map(describe)) };
  }

  /** Reads a picture. */
  @Tool({ readOnly: true })
  async readPicture(args: {
    /**
     * The picture.
     * @accept image/*
     * @maxSize 10
     */
    picture: File;
  }): Promise<Facts> {
    return describe(args.picture);
  }
}
