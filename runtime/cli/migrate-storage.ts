import { existsSync } from "node:fs";
import type { ApiRegistry } from "../contract/api-registry.ts";
import { formatGroupResource } from "../contract/group-version.ts";
import { definitionKind, readDefinitions } from "../kinds/custom/stored-definitions.ts";
import { prepareTrim } from "../kinds/custom/trim-stored-versions.ts";
import { migrateKind } from "../kinds/migrate-storage.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { SlowProgress } from "../lib/slow-progress.ts";
import { createKinds } from "../server/create-kinds.ts";
import { createPlatform } from "../server/platform.ts";
import { loadEncryption } from "../store/encryption/load-encryption.ts";
import { openStore } from "../store/open-store.ts";
import type { CommandStreams } from "./command-streams.ts";
import { withProjectFlags } from "./project-flags.ts";
import { parseFlags, readConfig } from "./read-config.ts";
import { UsageError } from "./usage-error.ts";

export const MIGRATE_STORAGE_USAGE = `typeplane migrate-storage [flags of serve]

Rewrites every stored object in its storage version, with the defaults of that version, and encrypts it with the first key of its
resource, so that older API versions and older encryption keys are no longer needed. The release determines the storage version of
built-in kinds; a CustomResourceDefinition determines that of its custom resources. Stop the server first if it uses --data-dir; servers
over etcd may keep running. The exit status is 1 if an object could not be read.

Accepts the flags of serve that define where objects are stored (--data-dir, --etcd-servers …), how they are encrypted
(--encryption-provider-config) and which release is served (--release).

When every object of a CustomResourceDefinition is stored in its storage version, status.storedVersions contains only that version, so
that older versions can be removed from the definition.
`;

/** Resolves with the exit status. */
export async function migrateStorageCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const config = readConfig(withProjectFlags(parseFlags(args), registry));
  const { etcd, dataDir } = config;
  if (etcd === undefined && dataDir !== undefined && !existsSync(dataDir))
    throw new UsageError(`--data-dir=${dataDir}: there is no such directory`);
  const log: Log = (level, message) => streams.err(`${level}: ${message}\n`);
  const platform = createPlatform(registry, config, log);
  const { configFiles, catalogue } = platform;
  const encryption = await loadEncryption(
    { ...config.encryption, reload: false },
    { configFiles, domain: catalogue.domain, allowsKmsV1: platform.gates.enabled("KMSv1"), log },
  );
  const store = encryption.over(await openStore(config, undefined, { log }));
  try {
    const kinds = createKinds(platform, config, { store, encryption });
    kinds.serveCustom(await readDefinitions(kinds, store, platform.naming));
    const definitions = await definitionKind(kinds, platform.naming);
    let failed = false;
    let total = 0;
    for (const stored of await kinds.storedKinds()) {
      const progress = new SlowProgress(systemClock, ({ count, milliseconds }) =>
        streams.err(
          `${formatGroupResource(stored.groupResource)}: ${count} objects checked … (${(milliseconds / 1000).toFixed(1)} s)\n`,
        ),
      );
      const trim = definitions && (await prepareTrim(definitions, stored));
      const { seen, rewritten, unreadable, contested } = await migrateKind(store, stored, progress);
      total += rewritten;
      if (rewritten > 0)
        streams.out(`${formatGroupResource(stored.groupResource)}: ${rewritten} of ${seen} rewritten\n`);
      for (const key of unreadable) streams.err(`${key}: cannot be read; not changed\n`);
      failed ||= unreadable.length > 0;
      const removed = unreadable.length + contested === 0 ? ((await trim?.()) ?? []) : [];
      if (removed.length > 0)
        streams.out(
          `${formatGroupResource(stored.groupResource)}: removed ${removed.join(", ")} from status.storedVersions\n`,
        );
    }
    streams.out(`${total} objects rewritten for release ${platform.dialed.own}\n`);
    kinds.close();
    return failed ? 1 : 0;
  } finally {
    encryption.close();
    await store.close();
  }
}
