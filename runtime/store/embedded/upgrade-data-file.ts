import { Format1File } from "./format-1.ts";
import { keepDataFile, NewDataFile } from "./new-data-file.ts";

/**
 * Rewrites the data of an older format in the present one, and keeps the old file as `data.mdb.format-1`. To return to the state before the
 * upgrade, stop the server, rename that file to `data.mdb` and run the older version; `typeplane downgrade-storage` returns to the old
 * format with the present state. The directory must be locked. An interrupted upgrade is repeated.
 */
export async function upgradeFromFormat1(directory: string): Promise<void> {
  const old = new Format1File(directory);
  try {
    const { identity, compactedRevision } = old.meta();
    const fresh = await NewDataFile.begin(directory, identity);
    try {
      for (const record of old.records()) await fresh.add(record);
      keepDataFile(directory, 1);
      await fresh.finish({ compactedRevision, expiries: [...old.expiries()] });
    } catch (error) {
      await fresh.abandon();
      throw error;
    }
  } finally {
    await old.close();
  }
}
