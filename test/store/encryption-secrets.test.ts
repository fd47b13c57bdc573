import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { migrateStorageCommand } from "../../runtime/cli/migrate-storage.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const KEY = Buffer.alloc(32, "k").toString("base64");
const HEAD =
  "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n";
const GOOD = `${HEAD}  - secretbox: { keys: [{ name: a, secret: ${KEY} }] }\n`;

function write(directory: string, text: string, mode = 0o600): string {
  const file = join(directory, "encryption.yaml");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

async function complaint(text: string): Promise<string> {
  const directory = temporaryDirectory();
  const flags = [`--data-dir=${directory}`, `--encryption-provider-config=${write(directory, text)}`];
  const streams = { stdin: () => "", out: () => undefined, err: () => undefined };
  return migrateStorageCommand(flags, streams, registry).then(
    () => expect.unreachable("it was accepted"),
    (error: Error) => error.message,
  );
}

describe("the keys of --encryption-provider-config", () => {
  it.each([
    ["of a wrong length", `${HEAD}  - secretbox: { keys: [{ name: a, secret: ${KEY}${KEY} }] }\n`],
    ["that are no base64", `${HEAD}  - secretbox: { keys: [{ name: a, secret: "!${KEY}" }] }\n`],
    ["in a list where a string belongs", `${HEAD}  - secretbox: { keys: [{ name: a, secret: [${KEY}] }] }\n`],
    ["where an object belongs", `${HEAD}  - secretbox: { keys: [${KEY}] }\n`],
    ["in the place of all keys", `${HEAD}  - secretbox: { keys: ${KEY} }\n`],
    ["beside a field that nobody declared", `${HEAD}  - secretbox: { keys: [{ name: a, sceret: ${KEY} }] }\n`],
    ["in broken YAML", `${HEAD}  - secretbox: { keys: [{ name: a, secret: ${KEY} }\n`],
    ["after a bad indentation", `${HEAD}  - secretbox:\n      keys:\n      - name: a\n     secret: ${KEY}\n`],
    ["in an unfinished quote", `${HEAD}  - secretbox: { keys: [{ name: a, secret: "${KEY} }] }\n`],
    ["given twice", `${HEAD}  - secretbox: { keys: [{ name: a, secret: ${KEY}, secret: ${KEY} }] }\n`],
  ])("are in no message about a file with a key %s", async (_what, text) => {
    const message = await complaint(text);
    expect(message).toContain("encryption.yaml");
    expect(message).not.toContain(KEY.slice(0, 12));
    expect(message).not.toContain("kkkkkkkk");
  });

  it("are in no document that the server serves, and not in the log", async () => {
    const directory = temporaryDirectory();
    const lines: string[] = [];
    const plane = await startPlane({
      directory,
      flags: { "encryption-provider-config": write(directory, GOOD) },
      log: (...line) => lines.push(JSON.stringify(line)),
    });
    try {
      await plane.ready;
      for (const path of ["/configz", "/flagz", "/statusz", "/metrics", "/healthz?verbose", "/readyz?verbose", "/logs"])
        expect(await bodyOf(plane, path), path).not.toContain(KEY.slice(0, 12));
    } finally {
      await plane.stop();
    }
    expect(lines.join("\n")).not.toContain(KEY.slice(0, 12));
  });

  it("are warned about when every user of the machine can read the file, and not otherwise", async () => {
    for (const [mode, warns] of [
      [0o644, true],
      [0o640, false],
    ] as const) {
      const directory = temporaryDirectory();
      const lines: string[] = [];
      const plane = await startPlane({
        directory,
        listen: false,
        flags: { controllers: "false", "encryption-provider-config": write(directory, GOOD, mode) },
        log: (level, message) => lines.push(`${level} ${message}`),
      });
      await plane.stop();
      const warning = `warn ${join(directory, "encryption.yaml")} has mode 0644, readable by every user of this machine: it contains the encryption keys of stored objects`;
      expect(lines.includes(warning)).toBe(warns);
    }
  });
});

async function bodyOf(plane: Plane, path: string): Promise<string> {
  return (await plane.fetch(path)).text();
}
