import { Format1File } from "./format-1.ts";
import { keepDataFile, NewDataFile } from "./new-data-file.ts";

/**
 * Writes the data of an older format anew in the present one. The old file is kept beside it as `data.mdb.format-1`: to go back to the state
 * of before, stop the server, rename it to `data.mdb` and run the older version; `typeplane downgrade-storage` goes back with the present
 * state. The directory must be locked. An interrupted upgrade is repeated.
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
