/** `make large-file GIB=30`: measures a server with a data file of that size and the memory of a small machine. */
import { formatMeasurement, type Measurement, meetsBar } from "../measurement.ts";
import { measureLargeFile } from "./measure-large-file.ts";

const gib = Number(process.argv[2] ?? 4);
const cacheMiB = Number(process.argv[3] ?? 512);
if (!(gib > 0 && cacheMiB > 0)) {
  console.error(
    "usage: make large-file [GIB=4] [CACHE_MIB=512] [DATA=<directory, kept and used again>] [PAGES=<most to list>]",
  );
  process.exit(2);
}
const missed: Measurement[] = [];
const pages = Number(process.env.PAGES) || undefined;
const options = { bytes: gib * 2 ** 30, cacheMiB, directory: process.argv[4] || undefined, pages };
await measureLargeFile(options, (measurement) => {
  console.log(formatMeasurement(measurement));
  if (!meetsBar(measurement)) missed.push(measurement);
});
console.log(missed.length === 0 ? "every bar is met" : `missed: ${missed.map(({ name }) => name).join("; ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;
