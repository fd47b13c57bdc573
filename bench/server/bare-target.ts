import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { startScript, type Target } from "./server-process.ts";

/** A bare server that answers `/0`, `/1` … with these bodies, and stores them when asked, over the TLS set-up our own server uses. */
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
