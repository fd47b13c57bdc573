import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { KeyPairFiles, KeyPairInFiles, PemPair } from "./follow-key-pair.ts";

const INTERVAL_MS = 1000;

/** A client certificate with its key, which may be replaced: the files are read again for new connections, at most once a second. */
export class CurrentKeyPair {
  readonly #files: KeyPairFiles;
  #pair: PemPair;
  readonly #now: () => number;
  #readAt: number;

  /** `now` is in milliseconds. */
  constructor({ files, pair }: KeyPairInFiles, now = (): number => performance.now()) {
    this.#files = files;
    this.#pair = pair;
    this.#now = now;
    this.#readAt = now();
  }

  /** The same object until the files change. The last pair remains while the files cannot be read, or only one of them is replaced. */
  get(): PemPair {
    const now = this.#now();
    if (now - this.#readAt < INTERVAL_MS) return this.#pair;
    this.#readAt = now;
    try {
      const certificatePem = readFileSync(this.#files.certificateFile, "utf8");
      const keyPem = readFileSync(this.#files.keyFile, "utf8");
      if (certificatePem === this.#pair.certificatePem && keyPem === this.#pair.keyPem) return this.#pair;
      createSecureContext({ cert: certificatePem, key: keyPem });
      this.#pair = { certificatePem, keyPem };
    } catch {
      // Read again for a connection of the next second.
    }
    return this.#pair;
  }
}
