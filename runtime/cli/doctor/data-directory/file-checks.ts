import { X509Certificate } from "node:crypto";
import { existsSync, readdirSync, readFileSync, type Stats, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isForeign } from "../../../lib/private-files.ts";
import { DATA_FILE } from "../../../store/embedded/check-data-file.ts";
import { describeOwner, lockOwner } from "../../../store/embedded/directory-lock.ts";
import { MAP_BYTES } from "../../../store/embedded/lmdb-engine.ts";
import { type Check, type Finding, NotApplicable } from "../check.ts";
import { diskFindings, expiryFindings, formatBytes } from "../thresholds.ts";
import type { DataDirectory } from "./data-directory.ts";

const OTHERS = 0o077;
const NEARLY = 0.8;

const inUse: Check<DataDirectory> = {
  name: "in-use",
  looksAt: "whether a server has the directory open",
  async run({ path }) {
    const owner = await lockOwner(path);
    if (owner === undefined) return [];
    const words = describeOwner(owner);
    const finding = `${words.charAt(0).toUpperCase()}${words.slice(1)} has the directory open.`;
    return [
      {
        severity: "info",
        finding,
        advice: "Stop it before you run migrate-storage or scrub-storage; backup and verify may run at the same time.",
      },
    ];
  },
};

const fileModes: Check<DataDirectory> = {
  name: "file-modes",
  looksAt: "files with data and keys that other users of the machine can open",
  run({ path, config: { certDir, encryption } }) {
    const keys = certDir === undefined ? [] : filesOf(certDir).filter((file) => file.endsWith(".key"));
    const secrets = encryption.file === undefined ? [] : [encryption.file];
    const files = [path, ...filesOf(path), ...keys, ...secrets].filter((file) => existsSync(file));
    return files.flatMap((file) => modeFindings(file, statSync(file)));
  },
};

function filesOf(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name));
}

function modeFindings(file: string, stats: Stats): Finding[] {
  const findings: Finding[] = [];
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  if ((stats.mode & OTHERS) !== 0)
    findings.push({
      severity: "error",
      finding: `${file} has mode ${mode}: other users of this machine can open it.`,
      advice: `chmod ${stats.isDirectory() ? "700" : "600"} ${file}`,
    });
  if (isForeign(stats))
    findings.push({
      severity: "warning",
      finding: `${file} belongs to user ${stats.uid}, not to the user of this process.`,
      advice: "Run doctor as the user of the server. If this process already does, correct the owner with chown.",
    });
  return findings;
}

const certificates: Check<DataDirectory> = {
  name: "certificates",
  looksAt: "when certificates in `--cert-dir` expire",
  run({ config: { certDir }, now }) {
    if (certDir === undefined || !existsSync(certDir)) throw new NotApplicable("there is no directory --cert-dir");
    const files = filesOf(certDir).filter((file) => file.endsWith(".crt"));
    const advice = "Restart the server, which renews its own certificates: docs/operations/certificate-expiring.md.";
    return files.flatMap((file): readonly Finding[] => {
      try {
        const { validToDate } = new X509Certificate(readFileSync(file));
        return expiryFindings(file, validToDate.getTime(), now().getTime(), advice);
      } catch (error) {
        const finding = `${file} is not a certificate: ${(error as Error).message}.`;
        return [{ severity: "error", finding, advice: "Restore the certificate, or delete the file and its key." }];
      }
    });
  },
};

const diskSpace: Check<DataDirectory> = {
  name: "disk-space",
  looksAt: "free space of the disk with the data file",
  run({ path }) {
    const { bavail, blocks, bsize } = statfsSync(path);
    return diskFindings(bavail * bsize, blocks * bsize);
  },
};

const dataFileSize: Check<DataDirectory> = {
  name: "data-file-size",
  looksAt: "size of the data file, compared with its limit",
  run({ path }) {
    const file = join(path, DATA_FILE);
    if (!existsSync(file)) throw new NotApplicable(`there is no ${DATA_FILE}`);
    const { size } = statSync(file);
    if (size < MAP_BYTES * NEARLY) return [];
    const finding = `The data file has ${formatBytes(size)} of at most ${formatBytes(MAP_BYTES)}.`;
    const advice = "Delete objects and compact the file: docs/operations/data-file-near-limit.md.";
    return [{ severity: "warning", finding, advice }];
  },
};

export const FILE_CHECKS: readonly Check<DataDirectory>[] = [inUse, fileModes, certificates, diskSpace, dataFileSize];
