import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { ServerProcess } from "../tools/server-process.ts";

/** Returns `data/data.mdb 600` for every file below a directory. */
function modesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => {
    const stats = statSync(join(directory, name));
    return `${name} ${stats.isDirectory() ? "directory" : "file"} ${(stats.mode & 0o7777).toString(8)}`;
  });
}

it("creates files with mode 0600 in directories with mode 0700, whatever the umask", async () => {
  const directory = temporaryDirectory();
  const policy = join(directory, "policy.yaml");
  writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n", { mode: 0o600 });
  const server = await ServerProcess.started({
    directory,
    umask: "0",
    flags: [`--audit-log-path=${join(directory, "logs", "audit.log")}`, `--audit-policy-file=${policy}`],
  });
  try {
    // The key of service accounts is created in the background.
    await vi.waitFor(() => expect(modesBelow(directory)).toContain("pki/sa.key file 600"), 120_000);
    const modes = modesBelow(directory);
    for (const name of ["data/data.mdb", "data/lock.mdb", "data/server.lock", "pki/ca.crt", "kubeconfig"])
      expect(modes).toContain(`${name} file 600`);
    expect(modes).toContain("logs/audit.log file 600");
    expect(modes.filter((line) => !/ directory 700$| file 600$/.test(line))).toEqual([]);
  } finally {
    await server.stop();
  }
});
