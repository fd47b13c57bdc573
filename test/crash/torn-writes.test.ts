import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { seeded } from "../linearizable/seeded.ts";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { FAILURES, tearWrites } from "./torn-writes.ts";

const PAGE = 4096;

describe("a data file after a power failure in the middle of a commit", () => {
  it("has the state before the commit, whichever pages were written, and takes writes", async () => {
    const { images, ...found } = await tearWrites({
      directory: temporaryDirectory(),
      commits: 8,
      imagesPerCommit: FAILURES.length,
      random: seeded(1),
    });
    expect(images).toBe(40);
    expect(found).toEqual({ refused: 0, problems: [] });
  });

  it("is told from a file that lost a commit", async () => {
    const { problems } = await tearWrites({
      directory: temporaryDirectory(),
      commits: 1,
      imagesPerCommit: FAILURES.length,
      random: seeded(2),
      spoil: (image, before) => void before.copy(image),
    });
    expect(problems).toEqual([expect.stringMatching(/^commit 0, everything: revision 1 instead of \d+$/)]);
  });
});

describe("a data file with a damaged meta page", () => {
  it.each([
    [0, 0, "data.mdb is not a data file"],
    [1, 0, "the second page of data.mdb is damaged"],
    [1, 0xff, "the second page of data.mdb is damaged"],
  ])(
    "is refused with a sentence instead of going back to an older commit: page %i filled with %i",
    async (page, fill, reason) => {
      const directory = temporaryDirectory();
      const store = await openEmbeddedStore(directory);
      for (const name of ["a", "b"]) await store.put(`/registry/${name}`, Buffer.from(name), { expected: 0 });
      await store.close();
      const file = join(directory, "data.mdb");
      const bytes = readFileSync(file);
      bytes.fill(fill, page * PAGE, page * PAGE + 512);
      writeFileSync(file, bytes);
      await expect(openEmbeddedStore(directory)).rejects.toMatchObject({
        code: "Corrupt",
        message: expect.stringContaining(reason),
      });
    },
  );
});
