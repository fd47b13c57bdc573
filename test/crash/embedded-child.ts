/**
 * The process that is killed: an embedded store under a workload. It writes every observation to stdout as a line before it continues, so that
 * no observation is lost with the process.
 *
 *   usage: embedded-child.ts <directory> <prefix> <first revision to watch>
 */
import { writeSync } from "node:fs";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { Workload } from "./workload.ts";

const [directory = "", prefix = "", watchFrom = "1"] = process.argv.slice(2);
const store = await openEmbeddedStore(directory);
const report = (line: object): void => {
  writeSync(1, `${JSON.stringify(line)}\n`);
};
report({ ready: true });
new Workload(store, { prefix, writers: 12, watchFrom: Number(watchFrom), report }).start();
