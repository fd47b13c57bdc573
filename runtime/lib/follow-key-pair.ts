import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { followFile } from "./follow-file.ts";

export interface KeyPairFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A certificate and its private key, in PEM. */
export interface PemPair {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** The files of a certificate and its key, as set by flags, and their content at startup. */
export interface KeyPairInFiles {
  readonly files: KeyPairFiles;
  readonly pair: PemPair;
}

export interface PairChanges {
  /** Called with the new content of the files, if it is a certificate with its key. */
  changed(pair: PemPair): void;
  /** Called if a file cannot be read, or if certificate and key do not match, because only one of them may have been replaced so far. */
  failed(error: Error): void;
}

/** Follows the files of a certificate and its key until the returned function is called. */
export function followKeyPair(
  { certificateFile, keyFile }: KeyPairFiles,
  known: PemPair,
  { changed, failed }: PairChanges,
  intervalMs?: number,
): () => void {
  let current = known;
  let isStopped = false;
  const look = async (): Promise<void> => {
    try {
      const [certificatePem, keyPem] = await Promise.all([
        readFile(certificateFile, "utf8"),
        readFile(keyFile, "utf8"),
      ]);
      if (isStopped || (certificatePem === current.certificatePem && keyPem === current.keyPem)) return;
      createSecureContext({ cert: certificatePem, key: keyPem });
      current = { certificatePem, keyPem };
      changed(current);
    } catch (error) {
      failed(error as Error);
    }
  };
  const changes = { changed: () => void look(), failed };
  const stops = [
    followFile(certificateFile, known.certificatePem, changes, intervalMs),
    followFile(keyFile, known.keyPem, changes, intervalMs),
  ];
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
  };
}
