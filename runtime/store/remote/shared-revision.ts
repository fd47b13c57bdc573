import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BYTES = 16;

/**
 * A number that several processes share: the last revision that may have been acknowledged. It is stored in an unlinked file whose
 * descriptor the processes share; on Linux, the file is in memory. Reading it takes about a microsecond.
 */
export class SharedRevision {
  readonly fd: number;
  readonly #buffer = Buffer.alloc(BYTES);

  /** `fd` is the descriptor of the file that `create` opened, inherited from the process that called it. */
  constructor(fd: number) {
    this.fd = fd;
  }

  /** Opens a new file in the first writable directory. Tries shared memory and the temporary directory before `directories`. */
  static create(directories: readonly string[] = []): SharedRevision {
    let failure: unknown;
    for (const directory of ["/dev/shm", tmpdir(), ...directories]) {
      const path = join(directory, `typeplane-revision-${randomUUID()}`);
      try {
        const shared = new SharedRevision(openSync(path, "wx+", 0o600));
        unlinkSync(path);
        shared.write(0);
        return shared;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  write(revision: number): void {
    this.#buffer.writeDoubleLE(revision, 0);
    this.#buffer.writeDoubleLE(revision, BYTES / 2);
    writeSync(this.fd, this.#buffer, 0, BYTES, 0);
  }

  read(): number {
    for (;;) {
      readSync(this.fd, this.#buffer, 0, BYTES, 0);
      const revision = this.#buffer.readDoubleLE(0);
      // The two copies differ while the other process is writing.
      if (revision === this.#buffer.readDoubleLE(BYTES / 2)) return revision;
    }
  }

  close(): void {
    closeSync(this.fd);
  }
}
