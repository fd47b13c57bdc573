import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cLibrary } from "../../package/c-library.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "typeplane-c-library-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a program whose headers name a program interpreter. */
function program(loader: string): string {
  const path = join(folder, "program");
  writeFileSync(path, Buffer.concat([Buffer.alloc(0x318, 1), Buffer.from(`${loader}\0`), Buffer.alloc(4096, 2)]));
  return path;
}

describe.runIf(process.platform === "linux")("the C library of a program", () => {
  it("is that of the loader which its headers name", () => {
    expect(cLibrary(program("/lib64/ld-linux-x86-64.so.2"))).toBe("glibc");
    expect(cLibrary(program("/lib/ld-linux-aarch64.so.1"))).toBe("glibc");
    expect(cLibrary(program("/lib/ld-musl-x86_64.so.1"))).toBe("musl");
  });

  it("is unknown for a program without a known loader, and for one that cannot be read", () => {
    expect(cLibrary(program("/system/bin/linker64"))).toBeUndefined();
    expect(cLibrary(join(folder, "absent"))).toBeUndefined();
  });

  it("is the one that Node.js reports for this process", () => {
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
    expect(cLibrary()).toBe(header.glibcVersionRuntime === undefined ? "musl" : "glibc");
  });
});
