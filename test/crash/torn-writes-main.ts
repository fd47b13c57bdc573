/** A long run: `make torn-writes COMMITS=1000 SEED=1`. Exits with 1 if a file after a power failure has another state than the committed one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../linearizable/seeded.ts";
import { FAILURES, tearWrites } from "./torn-writes.ts";

const commits = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 1);
const directory = mkdtempSync(join(tmpdir(), "typeplane-torn-"));
try {
  const started = performance.now();
  const random = seeded(seed);
  const found = await tearWrites({ directory, commits, imagesPerCommit: FAILURES.length, random });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  for (const problem of found.problems) console.log(problem);
  console.log(
    `${commits} commits, seed ${seed}: ${found.images} files, ${found.refused} refused, ${found.problems.length} with another state, ${seconds} s`,
  );
  if (found.problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
