/**
 * Writes to an embedded store whose file begins to fail, and prints the results. LMDB uses one descriptor for pages and syncs and another for
 * the meta page that commits them. One of the two is replaced by a device whose writes or syncs fail.
 *
 *   usage: failing-disk-child.ts <directory> <pages|commit> <device>
 *
 * /dev/full fails writes with ENOSPC, /proc/self/mem with EIO; /dev/null accepts writes and fails syncs with EINVAL.
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";

const [directory = "", which = "", device = ""] = process.argv.slice(2);
const prefix = "/registry/things/";
/** O_WRONLY: for meta pages, LMDB opens the file a second time, write-only and synchronous. */
const WRITE_ONLY = 1;

function descriptorOf(file: string, writeOnly: boolean): number {
  for (const name of readdirSync("/proc/self/fd").map(Number)) {
    try {
      if (readlinkSync(`/proc/self/fd/${name}`) !== file) continue;
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? "";
      if (((Number.parseInt(flags, 8) & 3) === WRITE_ONLY) === writeOnly) return name;
    } catch {
      // The descriptor with which the folder was read.
    }
  }
  throw new Error(`${file} is not open`);
}

/** Replaces a descriptor: the next opened file gets the lowest free number. */
function replace(descriptor: number, path: string): void {
  closeSync(descriptor);
  if (openSync(path, "r+") !== descriptor) throw new Error("another file was opened at the same time");
}

async function attempt(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "ok";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const lost: string[] = [];
const store = await openEmbeddedStore(directory, { onLost: ({ message }) => lost.push(message) });
const put = (name: string) => attempt(() => store.put(`${prefix}${name}`, Buffer.from(name), { expected: 0 }));
const list = () =>
  attempt(async () => {
    const { entries } = await store.range({ prefix });
    if (entries.length !== 2) throw Object.assign(new Error("wrong list"), { code: `${entries.length} entries` });
  });
const outcomes = [await put("a"), await put("b")];
const file = join(directory, "data.mdb");
const descriptor = descriptorOf(file, which === "commit");
replace(descriptor, device);
// Two concurrent writes share a commit.
const failing = await Promise.all([put("c"), put("d"), list()]);
const after = [await put("e"), await list(), await attempt(() => store.get(`${prefix}a`))];
replace(descriptor, file);
const healed = await put("f");
await store.close();
process.stdout.write(
  JSON.stringify({ outcomes, failing: failing.slice(0, 2), reads: failing[2], after, healed, lost }),
);
