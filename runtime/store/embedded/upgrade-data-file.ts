import { existsSync, linkSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { DATA_FILE } from "./check-data-file.ts";
import type { Expiry } from "./engine.ts";
import { MAP_BYTES } from "./lmdb-engine.ts";
import { decodeRecord } from "./log-record.ts";
import { NewDataFile } from "./new-data-file.ts";
import { TABLE_OF_FORMAT_1 } from "./table-keys.ts";

/**
 * Writes the data of an older format anew in the present one. The old file is kept beside it as `data.mdb.format-1`: to go back, stop the
 * server, rename it to `data.mdb` and run the older version. The directory must be locked. An interrupted upgrade is repeated.
 *
 * Format 1 had four tables: heads, log, expiries (key [time, revision]) and meta. Records are as in format 2.
 */
export async function upgradeFromFormat1(directory: string): Promise<void> {
  const data = join(directory, DATA_FILE);
  const kept = `${data}.format-1`;
  const root = open<Buffer, string>({ path: directory, noSubdir: false, encoding: "binary", mapSize: MAP_BYTES });
  try {
    const meta = root.openDB<Buffer, string>({ name: TABLE_OF_FORMAT_1, encoding: "binary" });
    const log = root.openDB<Buffer, number>({ name: "log", encoding: "binary" });
    const times = root.openDB<Buffer, [number, number]>({ name: "expiries", encoding: "binary" });
    const fresh = await NewDataFile.begin(directory, meta.get("identity") ?? Buffer.alloc(32));
    try {
      for (const { key, value } of log.getRange()) await fresh.add(decodeRecord(key, Buffer.from(value)));
      const expiries: Expiry[] = [];
      for (const { key, value } of times.getRange())
        expiries.push({ time: key[0], revision: key[1], key: value.toString() });
      if (!existsSync(kept)) linkSync(data, kept);
      await fresh.finish({ compactedRevision: meta.get("compacted")?.readDoubleLE(0) ?? 0, expiries });
    } catch (error) {
      await fresh.abandon();
      throw error;
    }
  } finally {
    await root.close();
  }
}
