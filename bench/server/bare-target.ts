import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { startScript, type Target } from "./server-process.ts";

/** Starts a bare server that returns these bodies at `/0`, `/1` …, and stores request bodies. Its TLS setup is that of our own server. */
export async function startBareServer(bodies: readonly Buffer[]): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bare-"));
  const identity = ensureClusterIdentity({
    directory,
    names: ["127.0.0.1", "localhost"],
    vendor: "bench",
    now: () => new Date(),
  });
  const files = bodies.map((body, index) => {
    const file = join(directory, `${index}.json`);
    writeFileSync(file, body);
    return file;
  });
  const script = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
  const bare = await startScript(script, [
    join(directory, "apiserver.key"),
    join(directory, "apiserver.crt"),
    join(directory, "data"),
    ...files,
  ]);
  return {
    url: bare.url,
    headers: {},
    tls: { ca: identity.authorityPem },
    pids: [bare.pid],
    stop: async () => {
      await bare.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
