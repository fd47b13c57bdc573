/** Writes to an embedded store until the disk is full, then prints what happened. Usage: full-disk-child.ts <directory> */
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";

const prefix = "/registry/things/";
const store = await openEmbeddedStore(process.argv[2] ?? "");
let watched = 0;
store.watch(
  { prefix, startRevision: 1 },
  {
    changed: (events) => {
      watched += events.length;
    },
    progress: () => undefined,
    failed: () => undefined,
  },
);
let written = 0;
let failure = "none";
while (failure === "none") {
  const value = Buffer.alloc(20_000, 1);
  try {
    await store.put(`${prefix}${String(written).padStart(6, "0")}`, value, { expected: 0 });
    written++;
  } catch (error) {
    failure = (error as { code: string }).code;
  }
}
const { entries } = await store.range({ prefix });
const readBack = entries.filter((entry) => entry.value.length === 20_000).length;
await store.close();
process.stdout.write(JSON.stringify({ written, failure, readBack, watched }));
