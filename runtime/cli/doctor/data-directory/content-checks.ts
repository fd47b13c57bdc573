import { DataFileView } from "../../../store/embedded/data-file-view.ts";
import { isEncrypted } from "../../../store/encryption/prefix-transformer.ts";
import { StoreError } from "../../../store/errors.ts";
import { counted } from "../../counted.ts";
import { type Check, type Finding, NotApplicable } from "../check.ts";
import { formatBytes } from "../thresholds.ts";
import type { DataDirectory } from "./data-directory.ts";

/** Maximum number of problems that are listed individually. */
const LISTED = 10;
/** Minimum free fraction and bytes for which compaction is recommended: less is not worth stopping the server. */
const COMPACT_PART = 0.5;
const COMPACT_BYTES = 64 * 1024 * 1024;

const format: Check<DataDirectory> = {
  name: "format",
  looksAt: "whether the data file is whole, and of the format of this version",
  async run({ path }) {
    try {
      await (await DataFileView.open(path)).close();
      return [];
    } catch (error) {
      if (!(error instanceof StoreError) || error.code === "Locked") throw error;
      const advice =
        error.code === "UnknownFormat"
          ? "The message names the way out; make a copy of the directory first."
          : "Keep a copy of the directory, and restore a backup: typeplane restore.";
      const finding = `${error.message.replace(/^t/, "T")}.`;
      return [{ severity: "error", finding, advice }];
    }
  },
};

const integrity: Check<DataDirectory> = {
  name: "integrity",
  looksAt: "everything that is stored: it is read, decrypted and decoded, as `typeplane verify` does",
  async run(directory) {
    const { problems } = await directory.verified();
    const advice =
      "Keep a copy of the directory, and restore a backup if objects are missing. typeplane verify lists all problems.";
    const findings = problems
      .slice(0, LISTED)
      .map((problem): Finding => ({ severity: "error", finding: `${problem}.`, advice }));
    if (problems.length > LISTED)
      findings.push({ severity: "error", finding: `${counted(problems.length - LISTED, "more problem")}.`, advice });
    return findings;
  },
};

const staleObjects: Check<DataDirectory> = {
  name: "stale-objects",
  looksAt: "objects that are stored in an older version or with an older key",
  async run(directory) {
    const { stale, objects } = await directory.verified();
    if (stale === 0) return [];
    return [
      {
        severity: "warning",
        finding: `${stale} of ${objects} objects are stored in an older version, or not with the current encryption key.`,
        advice: "Stop the server and run typeplane migrate-storage, before an upgrade or the removal of a key.",
      },
    ];
  },
};

const plaintext: Check<DataDirectory> = {
  name: "plaintext",
  looksAt: "objects in plaintext of kinds that are to be encrypted",
  async run(directory) {
    const { encryptedPrefixes } = await directory.verified();
    if (encryptedPrefixes.length === 0) throw new NotApplicable("no kind is encrypted (--encryption-provider-config)");
    const { objects, history } = await directory.view((view) => countPlaintext(view, encryptedPrefixes));
    const findings: Finding[] = [];
    if (objects > 0)
      findings.push({
        severity: "error",
        finding: `${objects} objects are stored in plaintext although their kind is to be encrypted.`,
        advice: "Stop the server, and run typeplane migrate-storage and then typeplane scrub-storage.",
      });
    if (history > 0)
      findings.push({
        severity: "warning",
        finding: `${history} older revisions of objects are in plaintext although their kind is to be encrypted.`,
        advice: "Stop the server and run typeplane scrub-storage, which also overwrites what was deleted.",
      });
    return findings;
  },
};

/** Counts records in plaintext: those of current objects, and older ones. */
function countPlaintext(view: DataFileView, prefixes: readonly string[]): { objects: number; history: number } {
  const present = new Set([...view.heads()].map(({ modRevision }) => modRevision));
  let [objects, history] = [0, 0];
  for (const { key, revision, type, value } of view.records()) {
    if (type !== "put" || isEncrypted(value) || !prefixes.some((prefix) => key.startsWith(prefix))) continue;
    if (present.has(revision)) objects += 1;
    else history += 1;
  }
  return { objects, history };
}

const freePages: Check<DataDirectory> = {
  name: "free-pages",
  looksAt: "space within the data file that holds nothing",
  async run(directory) {
    return compactionFindings(await directory.view((view) => view.pages()));
  },
};

/** Returns the findings for a file with this number of free pages. */
export function compactionFindings({ pageBytes, total, free }: ReturnType<DataFileView["pages"]>): Finding[] {
  if (free < total * COMPACT_PART || free * pageBytes < COMPACT_BYTES) return [];
  return [
    {
      severity: "info",
      finding: `${formatBytes(free * pageBytes)} of the ${formatBytes(total * pageBytes)} of the data file are unused. The space is reused, but the file does not shrink.`,
      advice: "If the disk needs the space, stop the server and run typeplane scrub-storage.",
    },
  ];
}

export const CONTENT_CHECKS: readonly Check<DataDirectory>[] = [format, integrity, staleObjects, plaintext, freePages];
