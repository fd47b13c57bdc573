import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";
import type { CommandStreams } from "./command-streams.ts";

const FLAGS: readonly CommandFlag[] = [
  { name: "data-dir", type: "text", help: "Directory of the embedded store. Defaults to .typeplane/data." },
];

export const DOWNGRADE_STORAGE_USAGE = `typeplane downgrade-storage [--data-dir DIR]

Writes the data file in its previous format, so that the previous version of Typeplane can use the directory: all objects,
revisions and history are kept. Stop the server first. The copy is read back and compared, and the present file is kept as
data.mdb.format-<n>. A server of the present version upgrades the directory again when it starts. Objects stay in the versions in which
they are stored: run the older version with a --release that has these versions.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. */
export async function downgradeStorageCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const directory = readCommandFlags(args, FLAGS).text("data-dir") ?? ".typeplane/data";
  const { downgradeDataFile } = await import("../store/embedded/downgrade-data-file.ts");
  const { from, to, revision, records } = await downgradeDataFile(directory);
  streams.out(`${directory}: format ${to} instead of ${from}, revision ${revision}, ${records} records, checked\n`);
  return 0;
}
