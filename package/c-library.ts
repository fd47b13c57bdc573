import { closeSync, openSync, readSync } from "node:fs";

const SELF = "/proc/self/exe";
/** Number of bytes to read: the name of the program interpreter follows the headers of an ELF file. */
const HEAD_BYTES = 2048;

/** Returns the C library of this process, recognized by its program interpreter; undefined if it cannot be determined. */
export function cLibrary(file: string = SELF): "glibc" | "musl" | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const head = headOf(file);
    if (head.includes("/ld-musl-")) return "musl";
    return head.includes("/ld-linux-") ? "glibc" : undefined;
  } catch {
    return undefined;
  }
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}
