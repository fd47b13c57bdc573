import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { KeyPairFiles, KeyPairInFiles, PemPair } from "./follow-key-pair.ts";

const INTERVAL_MS = 1000;

/** A client certificate with its key, whose files may be replaced: they are read again for new connections, at most once per second. */
export class CurrentKeyPair {
  readonly #files: KeyPairFiles;
  #pair: PemPair;
  readonly #now: () => number;
  #readAt: number;

  /** `now` returns milliseconds. */
  constructor({ files, pair }: KeyPairInFiles, now = (): number => performance.now()) {
    this.#files = files;
    this.#pair = pair;
    this.#now = now;
    this.#readAt = now();
  }

  /** Returns the current pair: the same object until the files change. The last pair is kept while a file cannot be read or only one was replaced. */
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
      // Read again for a connection in the next second.
    }
    return this.#pair;
  }
}
