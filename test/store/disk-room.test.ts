import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiskRoom } from "../../runtime/store/embedded/disk-room.ts";
import { NoSpaceError } from "../../runtime/store/errors.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

function roomOfFile(): DiskRoom {
  const file = join(temporaryDirectory(), "data");
  writeFileSync(file, "");
  return new DiskRoom(file);
}

describe("the check of free disk space", () => {
  it("allows a write that fits", () => {
    const room = roomOfFile();
    for (let count = 0; count < 100; count++) expect(() => room.claim(10_000)).not.toThrow();
  });

  it("rejects a write that is larger than the free space, and allows smaller ones afterwards", () => {
    const room = roomOfFile();
    room.claim(1000);
    expect(() => room.claim(2 ** 60)).toThrow(NoSpaceError);
    expect(() => room.claim(2 ** 60)).toThrow(/no space left in the data directory: \d+ bytes free/);
    expect(() => room.claim(1000)).not.toThrow();
  });
});
