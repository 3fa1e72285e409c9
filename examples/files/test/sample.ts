import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

/** A directory to serve, and a directory next to it that must not be accessible. */
export interface Sample {
  /** The directory that the server may use. */
  data: string;
  /** A directory outside whose path begins with the path of `data`. */
  database: string;
  remove(): void;
}

export function makeSample(): Sample {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  const [data, database] = [join(root, "data"), join(root, "database")];
  for (const folder of ["docs/deep/deeper", "empty", "node_modules/tea"]) {
    mkdirSync(join(data, folder), { recursive: true });
  }
  mkdirSync(database);
  const files: Record<string, string | Buffer> = {
    "readme.md": "# Tea\n\nBoil water.\nWait.\nPour.",
    "docs/green.txt": "sencha\r\ngyokuro\r\nmatcha",
    "docs/deep/oolong.txt": "x".repeat(1500),
    "docs/deep/deeper/white.ts": 'if (hot) {\n    pour("white");\n    wait(3);\n}\n',
    "docs/.hidden": "",
    "node_modules/tea/index.js": "export {};\n",
    "cup.png": Buffer.from(PIXEL, "base64"),
    "leaf.bin": Buffer.from([0xff, 0xfe, 0x00]),
    "caf\u00e9.txt": "au lait",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(data, name), content);
  writeFileSync(join(database, "secret.txt"), "secret");
  symlinkSync(join(data, "readme.md"), join(data, "link.md"));
  symlinkSync(join(data, "docs"), join(data, "papers"));
  symlinkSync(database, join(data, "out"));
  symlinkSync(join(database, "secret.txt"), join(data, "secret.txt"));
  symlinkSync(join(database, "new.txt"), join(data, "dangling.txt"));
  return { data, database, remove: () => rmSync(root, { recursive: true }) };
}
