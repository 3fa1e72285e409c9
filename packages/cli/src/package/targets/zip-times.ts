/** The earliest time that a ZIP archive can store, 1980-01-01 00:00: the time of day, and the date. */
const TIME = 0;
const DATE = (1 << 5) | 1;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;

/**
 * Sets the time of every file in a ZIP archive to the same one, so that the same files result in the same archive. An
 * archive without the usual structure is returned unchanged.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function resetZipTimes(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  const end = copy.length - END_BYTES;
  if (end < 0 || copy.readUInt32LE(end) !== END_SIGNATURE) return archive;
  let entry = copy.readUInt32LE(end + 16);
  for (let remaining = copy.readUInt16LE(end + 10); remaining > 0; remaining--) {
    if (entry + ENTRY_BYTES > end || copy.readUInt32LE(entry) !== ENTRY_SIGNATURE) return archive;
    const file = copy.readUInt32LE(entry + 42);
    writeTime(copy, entry + 12);
    writeTime(copy, file + 10);
    entry +=
      ENTRY_BYTES +
      copy.readUInt16LE(entry + 28) +
      copy.readUInt16LE(entry + 30) +
      copy.readUInt16LE(entry + 32);
  }
  return copy;
}

function writeTime(archive: Buffer, offset: number): void {
  archive.writeUInt16LE(TIME, offset);
  archive.writeUInt16LE(DATE, offset + 2);
}
