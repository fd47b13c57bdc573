import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { readIfPresent, tightenIfPresent, writePrivately } from "../../lib/private-files.ts";

/**
 * Returns the key that signs service account tokens: `sa.key` in the directory, created if absent. Without a directory, a new key in memory. It is an
 * RSA key, because every client library in use verifies RS256. Its creation is slow: it runs outside the event loop, and only the first token request
 * waits for it.
 */
export async function ensureSigningKey(directory: string | undefined): Promise<KeyObject> {
  if (directory === undefined) return (await newKey()).privateKey;
  const path = join(directory, "sa.key");
  tightenIfPresent(path);
  const stored = readIfPresent(path);
  if (stored !== undefined) return createPrivateKey(stored);
  const { privateKey } = await newKey();
  writePrivately(path, privateKey.export({ type: "pkcs8", format: "pem" }) as string);
  return privateKey;
}

function newKey(): Promise<{ privateKey: KeyObject }> {
  return promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
}
